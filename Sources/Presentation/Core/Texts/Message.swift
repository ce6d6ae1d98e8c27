public import BrowseDomain
public import Foundation

/// A localized message that a screen shows instead of its content, or beside it.
public struct Message: Hashable, Sendable {
    /// The cause of a message, for an icon or a layout.
    public enum Kind: Hashable, Sendable {
        /// There is nothing to show.
        case empty
        /// Nothing matches the filter, or it hides all rows.
        case noMatches
        /// The service doesn't have what was requested.
        case notFound
        /// There is no connection to the server, or it was lost.
        case offline
        /// The request timed out.
        case timedOut
        /// The rate limit is used up until a time.
        case rateLimited(until: Date)
        /// Signing in is required, or the token is no longer valid.
        case unauthorized
        /// Signing in failed, or the token couldn't be revoked while signing out.
        case signInFailed
        /// The server refused access.
        case forbidden
        /// The request isn't valid: the server rejected it, or it wasn't sent.
        case rejected
        /// The server failed, or sent an unusable response.
        case serverFailure
        /// The request or the response was unsafe.
        case unsafe
        /// Data couldn't be stored on the device, or read from it.
        case storage
    }

    /// The action of a message's button; `perform(_:)` of the view model performs it.
    public enum Action: Hashable, Sendable {
        /// Load again what failed.
        case retry
        /// Load again what failed, at this time or later.
        case retryLater(Date)
        /// Let the person change the text, which only the front end can do.
        case changeInput
        /// Clear the filter.
        case clearFilter
        /// Load all pages, since only the loaded rows were filtered.
        case loadAll
        /// Show the sign-in screen.
        case signIn
        /// Open a page of the service, on which the person can resolve the problem.
        case open(WebAddress)

        /// The destination of an action that leads to another screen or page; `nil` for all others.
        public var route: Route? {
            switch self {
            case .signIn: .signIn
            case .open(let page): .webPage(page)
            case .retry, .retryLater, .changeInput, .clearFilter, .loadAll: nil
            }
        }
    }

    /// The cause.
    public var kind: Kind
    /// A short title.
    public var title: String
    /// A sentence with the reason, or with what to do.
    public var text: String
    /// The action that helps; `nil` if none does.
    public var action: Action?
    /// The title of the action's button.
    public var actionTitle: String?
    /// The error that the message is about, for a report; `nil` if there was none.
    public var error: BrowseError?

    /// Creates a message without an action.
    public init(kind: Kind, title: String, text: String) {
        self.kind = kind
        self.title = title
        self.text = text
    }
}

extension Message {
    /// The message about a change that wasn't stored, without the button that would load the screen
    /// again.
    ///
    /// The person tries again by changing the mark again.
    public var ofChange: Message {
        switch action {
        case .retry, .retryLater:
            return modified(Message(kind: kind, title: title, text: text)) { $0.error = error }
        case .changeInput, .clearFilter, .loadAll, .signIn, .open, nil: return self
        }
    }
}
