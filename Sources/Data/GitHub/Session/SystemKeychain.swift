#if canImport(Security)
public import Foundation
import Security

/// Keychain Services, always in the data protection keychain.
///
/// On macOS the file-based keychain is the default, which ignores accessibility attributes and access groups (TN3137, "On Mac
/// keychain APIs and implementations"). The other platforms have the data protection keychain only.
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
    /// Creates a store; nothing is read yet.
    ///
    /// - Parameters:
    ///   - server: The API that the credentials are for. Each has an item of its own.
    ///   - accessGroup: The keychain access group that the app shares with its extensions, as in its
    ///     `keychain-access-groups` entitlement; `nil` is the app's own group.
    ///   - lockFolder: Where the files for locks are, which processes that share the credentials share too: the app group's
    ///     container for an app with extensions. Created when it is missing.
    ///   - fallback: Used where the process has no entitlement for a keychain, as command-line tools have none; `nil` throws
    ///     there. It isn't used with an access group, since the extensions wouldn't find the credentials.
    public init(server: URL, accessGroup: String? = nil, lockFolder: URL, fallback: FileTokenStore? = nil) {
        self.init(
            server: server,
            accessGroup: accessGroup,
            lockFolder: lockFolder,
            fallback: fallback,
            keychain: SystemKeychain()
        )
    }
}
#endif
