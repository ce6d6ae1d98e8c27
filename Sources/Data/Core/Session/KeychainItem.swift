/// The attributes that identify a generic password.
struct KeychainItem: Hashable, Sendable {
    var service: String
    /// The account; `nil` matches all accounts of the service, and is only for deleting.
    var account: String?
    /// The access group; `nil` adds to the app's default group and finds items in all its groups.
    var accessGroup: String?
}
