/// The state of a screen that shows one entity.
public protocol DetailScreenState<Details>: Equatable, Sendable {
    /// The type of the details.
    associatedtype Details: EntityDetails

    /// The localized title of the screen; empty until it's known.
    var title: String { get }
    /// The details and their status.
    var content: DetailState<Details> { get }
    /// A message beside the details, such as that a favorite couldn't be stored.
    var notice: Message? { get }
}

extension DetailScreenState {
    /// Whether the entity is a favorite, or is being added; `false` if it can't be one.
    public var isFavorite: Bool { content.isFavorite ?? false }
}
