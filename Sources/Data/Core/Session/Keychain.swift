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
