#if canImport(Security)
package import Foundation
import Security

/// Keychain Services, with the data protection keychain.
///
/// macOS defaults to the file-based keychain, which ignores accessibility attributes and access groups (TN3137, "On Mac
/// keychain APIs and implementations").
struct SystemKeychain: Keychain {
    func read(_ item: KeychainItem) -> (status: KeychainStatus, data: Data?) {
        var query = query(item)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        return (KeychainStatus(rawValue: status), found as? Data)
    }

    func add(_ item: KeychainItem, _ data: Data) -> KeychainStatus {
        let attributes = query(item).merging(contents(data)) { $1 }
        return KeychainStatus(rawValue: SecItemAdd(attributes as CFDictionary, nil))
    }

    func update(_ item: KeychainItem, _ data: Data) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemUpdate(query(item) as CFDictionary, contents(data) as CFDictionary))
    }

    func delete(_ item: KeychainItem) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemDelete(query(item) as CFDictionary))
    }

    private func query(_ item: KeychainItem) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecUseDataProtectionKeychain: true,
            kSecAttrService: item.service,
        ]
        if let account = item.account { query[kSecAttrAccount] = account }
        if let accessGroup = item.accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    private func contents(_ data: Data) -> [CFString: Any] {
        [kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
    }
}

extension KeychainTokenStore {
    /// Creates a store without accessing the Keychain.
    ///
    /// - Parameters:
    ///   - name: The name of the session. Each has its own item.
    ///   - accessGroup: The group in the `keychain-access-groups` entitlement that the app shares with its extensions; `nil` adds
    ///     the item to the app's default group, and finds it in any of its groups.
    ///   - lockFolder: The folder of the lock files, shared by all processes that share the credentials: the app group's
    ///     container for an app with extensions. Created if it doesn't exist.
    ///   - fallback: The store for processes without a keychain entitlement, such as command-line tools; `nil` throws there.
    ///     Ignored with an access group, because extensions wouldn't find the credentials.
    package init(
        name: SessionName,
        accessGroup: String? = nil,
        lockFolder: URL,
        fallback: FileTokenStore? = nil
    ) {
        self.init(
            name: name,
            accessGroup: accessGroup,
            lockFolder: lockFolder,
            fallback: fallback,
            keychain: SystemKeychain()
        )
    }
}
#endif
