/// The controls of a list that is part of a screen.
@MainActor
public struct ListControls<Row: ListRow>: ListIntents {
    let controller: ListController<Row>

    /// The controls themselves.
    public var list: ListControls<Row> { self }
}
