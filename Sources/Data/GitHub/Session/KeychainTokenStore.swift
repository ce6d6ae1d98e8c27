#if canImport(Security)
public import BrowseDomain
public import Foundation
import Security

/// Credentials in the Keychain of this device, for this app alone.
///
/// They can be read once the device was unlocked after a start, are in no backup that another device could restore, and are
/// not synchronized.
public struct KeychainTokenStore: TokenStore {
    private let server: String
    private var service: String { "BrowseKit " + server }

    /// Creates a store; nothing is read yet.
    ///
    /// - Parameter server: The API that the credentials are for. Each has an item of its own.
    public init(server: URL) {
        self.server = Origin(server)?.text ?? server.absoluteString
    }

    /// What is stored.
    @concurrent
    public func load() async throws(BrowseError) -> GitHub.Credentials? {
        try read()
    }

    /// Looks at what is stored and changes it.
    ///
    /// The Keychain cannot do both in one step, so that another process of the same app may come between.
    @concurrent
    public func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        let stored: Result<GitHub.Credentials?, BrowseError>
        do throws(BrowseError) { stored = .success(try read()) } catch { stored = .failure(error) }
        switch change(stored) {
        case .keep: break
        case .store(let credentials): try write(credentials)
        case .delete:
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status) }
        }
    }

    private func read() throws(BrowseError) -> GitHub.Credentials? {
        var query = item
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess: break
        case errSecItemNotFound: return nil
        case let status: throw failure(status)
        }
        guard let data = found as? Data else { throw failure(errSecDecode) }
        do throws(StorageFailure.Reason) {
            return try CredentialsRecord.credentials(from: data, for: server)
        } catch {
            throw .storageFailed(StorageFailure(reason: error, file: service))
        }
    }

    private func write(_ credentials: GitHub.Credentials) throws(BrowseError) {
        guard let data = try? CredentialsRecord(credentials, for: server).encoded() else { throw failure(errSecParam) }
        let contents: [CFString: Any] = [
            kSecValueData: data,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemUpdate(item as CFDictionary, contents as CFDictionary)
        guard status == errSecItemNotFound else {
            guard status == errSecSuccess else { throw failure(status) }
            return
        }
        let added = SecItemAdd(item.merging(contents) { $1 } as CFDictionary, nil)
        guard added == errSecSuccess else { throw failure(added) }
    }

    private var item: [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: "GitHub",
        ]
    }

    private func failure(_ status: OSStatus) -> BrowseError {
        let reason: StorageFailure.Reason =
            switch status {
            case errSecInteractionNotAllowed: .busy
            case errSecDecode: .damaged
            case errSecMissingEntitlement, errSecAuthFailed, errSecReadOnly: .notWritable
            default: .other
            }
        return .storageFailed(StorageFailure(reason: reason, file: service, code: Int(status)))
    }
}
#endif
