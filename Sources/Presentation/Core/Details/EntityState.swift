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
