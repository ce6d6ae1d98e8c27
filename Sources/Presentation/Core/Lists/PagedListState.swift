/// The state of a screen with a list and nothing else.
public struct PagedListState<Selection: Equatable & Sendable, Row: ListRow>: ListScreenState {
    /// The localized title of the screen.
    public var title: String = ""
    /// The value that selects the list, such as an account; `nil` before it's shown.
    public var selection: Selection?
    /// The text that the rows are filtered by; blank shows all.
    public var filter: String = ""
    /// The rows and the status of the list.
    public var content: ListState<Row> = ListState()
    /// A message beside the list, such as that a favorite couldn't be stored.
    public var notice: Message?
}
