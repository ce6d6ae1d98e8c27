public import BrowseDomain

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

extension DetailState.Status {
    /// The message in place of the details; `nil` if there is none.
    public var message: Message? {
        if case .failed(let message) = self { message } else { nil }
    }
}
