import BrowsePresentation

extension ListState.Status {
    /// The message of a list that couldn't be loaded; `nil` in any other status.
    var failure: Message? { if case .failed(let message) = self { message } else { nil } }
    /// The message of a list that has no rows; `nil` in any other status.
    var emptyMessage: Message? { if case .empty(let message) = self { message } else { nil } }
}
