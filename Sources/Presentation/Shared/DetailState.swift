public import BrowseDomain

/// What a screen shows of one thing: its details, or what the screen is doing.
public struct DetailState<Details: Equatable & Sendable>: Equatable, Sendable {
    /// What the screen is doing.
    public enum Status: Equatable, Sendable {
        /// Nothing was requested yet.
        case idle
        /// The thing is being loaded.
        case loading
        /// The load waits for a rate limit; the message says until when.
        case waiting(Message)
        /// The thing is there.
        case loaded(Details)
        /// The thing could not be loaded.
        case failed(Message)
    }

    /// What the screen is doing.
    public var status: Status = .idle
    /// Where the thing came from; `nil` while it isn't there.
    public var provenance: Provenance?
    /// The localized age of a cached thing; `nil` for a fresh one.
    public var age: String?

    /// Creates the state of a screen that shows nothing yet.
    public init() {}

    /// The details; `nil` while the thing isn't there.
    public var details: Details? {
        if case .loaded(let details) = status { details } else { nil }
    }
}

/// A view model whose screen is about one thing: everything that all of them do.
@MainActor
public protocol DetailViewModel<State, Thing>: ViewModel {
    /// What the screen is about.
    associatedtype Thing

    /// What a front end can do with the thing.
    var detail: DetailControls<Thing> { get }
}

extension DetailViewModel {
    /// Loads what failed or was canceled: the thing, or what is related to it.
    ///
    /// Callers share a load that is in flight. It is canceled once all of them have been.
    public func retry() async {
        await detail.retry()
    }
}

/// A view model of a thing that can be a favorite.
@MainActor
public protocol FavoriteDetailViewModel: DetailViewModel {}

extension FavoriteDetailViewModel {
    /// Adds the thing to the favorites or removes it, whichever its mark doesn't show.
    ///
    /// The mark changes at once; if that can't be stored it changes back, with a notice. Returns when it is stored. Does nothing
    /// while the thing isn't loaded.
    public func toggleFavorite() async {
        await detail.toggleFavorite()
    }
}

/// What a front end can do with one thing; see ``DetailViewModel``.
@MainActor
public struct DetailControls<Thing> {
    let retry: @MainActor () async -> Void
    let toggleFavorite: @MainActor () async -> Void
}
