#if canImport(Security)
import Foundation
import Security

/// Keychain Services, with the data protection keychain.
///
/// macOS defaults to the file-based keychain, which ignores accessibility attributes and access
/// groups (TN3137, "On Mac keychain APIs and implementations").
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
    /// Processes without a keychain entitlement, such as command-line tools, use the file, but not
    /// with an access group.
    package init(name: SessionName, accessGroup: String?, fileStore: FileTokenStore) {
        self.init(name: name, accessGroup: accessGroup, fileStore: fileStore, keychain: SystemKeychain())
    }
}
#endif
