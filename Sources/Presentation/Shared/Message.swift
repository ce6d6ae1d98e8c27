public import Foundation

/// Something to tell the person instead of, or beside, what they asked for.
public struct Message: Hashable, Sendable {
    /// What happened, for an icon or a layout.
    public enum Kind: Hashable, Sendable {
        /// There is nothing to show, and that is no failure.
        case empty
        /// The filter hides every row.
        case noMatches
        /// There is no such thing.
        case notFound
        /// No connection: the network, the host, or a broken transfer.
        case offline
        /// The response took too long.
        case timedOut
        /// The server asks to wait until a time.
        case rateLimited(until: Date)
        /// A load waits for a rate limit until a time, and goes on by itself.
        case waiting(until: Date)
        /// Signing in is needed, or the token is no longer good.
        case unauthorized
        /// Signing in came to nothing.
        case signInFailed
        /// The server refuses.
        case forbidden
        /// The server cannot take the request.
        case rejected
        /// The server failed, or sent something that cannot be used.
        case serverFailure
        /// Going on would not have been safe.
        case unsafe
        /// Something could not be stored on this device, or read from it.
        case storage
    }

    /// What the person can do about it.
    public enum Action: Hashable, Sendable {
        /// Try again now: `retry()`.
        case retry
        /// Try again at that time or later: `retry()`.
        case retryLater(Date)
        /// Type something else.
        case changeInput
        /// Clear the filter.
        case clearFilter
        /// Load all pages, since only those that are loaded were filtered: `loadAll()`.
        case loadAll
        /// Sign in.
        case signIn
    }

    /// What happened.
    public var kind: Kind
    /// A few words.
    public var title: String
    /// A sentence that says what to do, or why.
    public var text: String
    /// The action that helps, or `nil` when none does.
    public var action: Action?
    /// The words for the action's button.
    public var actionTitle: String?

    /// Creates a message.
    public init(kind: Kind, title: String, text: String, action: Action? = nil, actionTitle: String? = nil) {
        self.kind = kind
        self.title = title
        self.text = text
        self.action = action
        self.actionTitle = actionTitle
    }
}

extension Message? {
    /// Shows until when a load waits, or removes that.
    mutating func showWait(until end: Date?, texts: Texts) {
        if let end {
            self = texts.waiting(until: end)
        } else if case .waiting = self?.kind {
            self = nil
        }
    }
}
