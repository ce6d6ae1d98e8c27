/// A view model whose screen shows a list.
///
/// Call ``ListIntents/rowAppeared(_:)`` for each row that becomes visible. In SwiftUI, call it in
/// the row's task:
///
/// ```swift
/// ForEach(rows) { item in
///     row(item).task { await model.rowAppeared(item.id) }
/// }
/// ```
///
/// In UIKit or AppKit, start a task when the cell is displayed. Optionally, cancel it when the cell
/// disappears:
///
/// ```swift
/// let appearance = Task { [model] in await model.rowAppeared(id) }
/// appearances.updateValue(appearance, forKey: ObjectIdentifier(cell))?.cancel()
/// ```
@MainActor
public protocol ListViewModel<State, Row>: ViewModel, ListIntents where State: ListScreenState<Row> {}
