import Foundation

/// The `SecItem` functions for generic passwords.
///
/// ``SystemKeychain`` calls them on Apple platforms. The protocol lets Linux compile and test the
/// code that uses them.
protocol Keychain: Sendable {
    func read(_ item: KeychainItem) -> (status: KeychainStatus, data: Data?)

    func add(_ item: KeychainItem, _ data: Data) -> KeychainStatus

    func update(_ item: KeychainItem, _ data: Data) -> KeychainStatus

    func delete(_ item: KeychainItem) -> KeychainStatus
}

/// The attributes that identify a generic password.
struct KeychainItem: Hashable, Sendable {
    var service: String
    /// The account; `nil` matches all accounts of the service, and is only for deleting.
    var account: String?
    /// The access group; `nil` adds to the app's default group and finds items in all its groups.
    var accessGroup: String?
}

/// A result code of Keychain Services; the values are from `SecBase.h`.
struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    static let success = KeychainStatus(rawValue: 0)
    static let notAvailable = KeychainStatus(rawValue: -25291)
    static let readOnly = KeychainStatus(rawValue: -25292)
    static let duplicateItem = KeychainStatus(rawValue: -25299)
    static let itemNotFound = KeychainStatus(rawValue: -25300)
    static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    static let decode = KeychainStatus(rawValue: -26275)
    static let missingEntitlement = KeychainStatus(rawValue: -34018)
}
