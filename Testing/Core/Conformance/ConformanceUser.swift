import BrowseDomain

/// A user in the rules of token storage.
struct ConformanceUser: SessionUser {
    let name: String

    var accountID: String { name }
}
