public import BrowseDomain

/// A change of stored credentials.
public enum TokenChange: Hashable, Sendable {
    /// Keeps the stored credentials.
    case keep
    /// Stores credentials in place of the current ones.
    case store(Credentials)
    /// Deletes the credentials, if any.
    case delete
}

/// Takes the result of reading the stored credentials, and returns their change.
public typealias TokenUpdate = @Sendable (_ stored: Result<Credentials?, BrowseError>) -> TokenChange
