@_spi(Services) public import BrowseDomain

/// The part of a screen's state that shows one entity.
public struct DetailState<Details: Equatable & Sendable>: Equatable, Sendable {
    /// The status of the entity.
    public enum Status: Equatable, Sendable {
        /// Nothing was requested, or the load was canceled.
        case idle
        /// The entity is loading.
        case loading
        /// The entity is loaded.
        case loaded(Details)
        /// The entity couldn't be loaded.
        case failed(Message)
    }

    /// The status of the entity.
    public var status: Status = .idle
    /// The source of the entity; `nil` until it's loaded.
    public var provenance: Provenance?
    /// The localized age of a cached or saved entity, or that it's unavailable; `nil` if
    /// it's fresh.
    public var age: String?
    /// Whether the service no longer has the entity, of which the favorite's copy is shown.
    public var isUnavailable: Bool = false
    /// Whether the entity is a favorite, or is being added; `nil` if it can't be one.
    public var isFavorite: Bool?

    /// Creates the state of a screen that shows nothing yet.
    public init() {}

    /// The details; `nil` until the entity is loaded.
    public var details: Details? {
        if case .loaded(let details) = status { details } else { nil }
    }
}

/// The state of a screen with an entity and nothing else.
public struct EntityState<Details: EntityDetails>: DetailScreenState {
    /// The localized title of the screen.
    public var title: String = ""
    /// The details and their status.
    public var content: DetailState<Details> = DetailState()
    /// A message beside the details, such as that a favorite couldn't be stored.
    public var notice: Message?

    /// Creates the state of a screen that shows nothing yet.
    public init() {}
}

extension DetailState.Status {
    /// The message in place of the details; `nil` if there is none.
    public var message: Message? {
        if case .failed(let message) = self { message } else { nil }
    }
}

/// A view model whose screen shows one entity.
@MainActor
public protocol DetailViewModel<State>: ViewModel where State: DetailScreenState {
    /// The intents of the entity.
    var detail: DetailControls { get }
}

extension DetailViewModel {
    /// Loads the entity if it isn't loaded or couldn't be refreshed; otherwise, missing related
    /// items.
    ///
    /// One that is cached because the server couldn't be reached couldn't be refreshed.
    public func retry() async { await LoadOptions.$current.withValue(.retrying) { await detail.retry() } }

    /// Loads the entity again, then its related items.
    ///
    /// The entity and the items stay until newer ones arrive. If the load fails, they still stay,
    /// with a notice, unless the server no longer has the entity. If it's canceled, nothing
    /// changes. A call during a load waits for that load.
    public func refresh() async { await LoadOptions.$current.withValue(.retrying) { await detail.refresh() } }

    /// Removes the notice beside the entity.
    public func dismissNotice() { detail.dismissNotice() }

    /// Performs the action of a message.
    ///
    /// `.changeInput` does nothing: only the front end knows its fields.
    ///
    /// - Returns: The screen or page to open; `nil` if there is none.
    @discardableResult
    public func perform(_ action: Message.Action) async -> Route? {
        switch action {
        case .retry, .retryLater: await retry()
        case .loadAll, .clearFilter, .changeInput, .signIn, .open: break
        }
        return action.route
    }

    /// Adds the entity to the favorites, or removes it.
    ///
    /// The state changes before this method first suspends, and the notice is removed. If storing
    /// fails, it changes back, and the screen shows a notice. Returns when storing ends. Of several
    /// changes, the last one wins. It does nothing until the entity is loaded, nor without
    /// ``DetailController/markFavorite(in:isComplete:as:)``, which is reported as for a list.
    public func setFavorite(to isFavorite: Bool) async {
        await detail.setFavorite { _ in isFavorite }
    }

    /// Adds the entity to the favorites, or removes it if it's shown as a favorite; see
    /// ``setFavorite(to:)``.
    public func toggleFavorite() async { await detail.setFavorite(!) }
}

/// The localized details of an entity.
public protocol EntityDetails: Equatable, Sendable {
    /// The facts about the entity, in display order.
    var facts: [Fact] { get }
}

extension EntityDetails {
    /// Returns the fact with a name; `nil` if there is none.
    public subscript(id: String) -> Fact? { facts.first { $0.id == id } }
}
