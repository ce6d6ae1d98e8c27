/// The state of a screen that shows a list.
public protocol ListScreenState<Row>: Equatable, Sendable {
    /// The type of the rows.
    associatedtype Row: ListRow

    /// The localized title of the screen; empty until it's known.
    var title: String { get }
    /// The rows and the status of the list.
    var content: ListState<Row> { get }
    /// A message beside the list, such as that a favorite couldn't be stored.
    var notice: Message? { get }
}
