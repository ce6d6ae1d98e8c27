/// The controls of a list that is part of a screen.
@MainActor
public struct ListControls<Row: ListRow>: ListIntents {
    let controller: ListController<Row>

    /// The controls themselves.
    public var list: ListControls<Row> { self }
}

extension ListController {
    /// The intents of the list, for the front end.
    public var controls: ListControls<Row> { ListControls(controller: self) }
}
