/// Credentials in use; refreshing preserves the grant, signing in again creates another.
public struct TokenGrant: Hashable, Sendable, Identifiable {
    /// A number within the repository, which is never reused.
    public let id: Int
    /// The current credentials.
    public var credentials: Credentials

    /// Creates a grant.
    public init(id: Int, credentials: Credentials) {
        self.id = id
        self.credentials = credentials
    }
}
