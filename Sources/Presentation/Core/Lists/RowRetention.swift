/// The time at which a list that starts over removes its old rows.
public enum RowRetention: Sendable {
    /// Removes the old rows at once.
    case discard
    /// Shows the old rows until the load of the first page ends; for rows of another query.
    case keepUntilResponse
    /// Shows the old rows until the first page arrives; for a newer version of the same list.
    ///
    /// If the load fails, they stay, unless the list isn't found. If it's canceled, the list
    /// continues from its previous position.
    case keepUntilPage
}
