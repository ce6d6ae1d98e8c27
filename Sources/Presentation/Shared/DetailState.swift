public import BrowseDomain

/// The part of a screen's state that shows one thing.
public struct DetailState<Details: Equatable & Sendable>: Equatable, Sendable {
    /// The status of the thing.
    public enum Status: Equatable, Sendable {
        /// Nothing was requested.
        case idle
        /// The thing is loading.
        case loading
        /// The load waits for a rate limit until the time in the message.
        case waiting(Message)
        /// The thing is loaded.
        case loaded(Details)
        /// The thing couldn't be loaded.
        case failed(Message)
    }

    /// The status of the thing.
    public var status: Status = .idle
    /// The source of the thing; `nil` until it's loaded.
    public var provenance: Provenance?
    /// The localized age of a cached thing; `nil` for a fresh one.
    public var age: String?

    /// Creates the state of a screen that shows nothing yet.
    public init() {}

    /// The details; `nil` until the thing is loaded.
    public var details: Details? {
        if case .loaded(let details) = status { details } else { nil }
    }
}

/// A view model whose screen shows one thing.
@MainActor
public protocol DetailViewModel<State>: ViewModel {
    /// The intents of the thing.
    var detail: DetailControls { get }
}

extension DetailViewModel {
    /// Repeats a failed or canceled load of the thing or, if it's loaded, of its related items.
    public func retry() async {
        await detail.retry()
    }

    /// Loads the thing again, then its related items.
    ///
    /// The thing and the items stay until newer ones arrive. If the load fails, they still stay, with a notice, unless the server
    /// no longer has the thing. If it's canceled, nothing changes. A call during a load waits for that load.
    public func refresh() async {
        await detail.refresh()
    }

    /// Removes the notice beside the thing.
    public func dismissNotice() {
        detail.dismissNotice()
    }
}

/// A view model of a thing that can be a favorite.
@MainActor
public protocol FavoriteDetailViewModel: DetailViewModel {}

extension FavoriteDetailViewModel {
    /// Adds the thing to the favorites, or removes it if its mark is shown.
    ///
    /// The mark changes at once. If storing fails, it changes back and the screen shows a notice. Returns when storing ends. Does
    /// nothing until the thing is loaded.
    public func toggleFavorite() async {
        await detail.toggleFavorite()
    }
}

/// The intents of one thing; a ``DetailViewModel`` forwards to them.
@MainActor
public struct DetailControls {
    let retry: @MainActor () async -> Void
    let refresh: @MainActor () async -> Void
    let toggleFavorite: @MainActor () async -> Void
    let dismissNotice: @MainActor () -> Void
}
