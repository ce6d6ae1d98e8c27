@_spi(Services) import BrowseDomain
import Foundation

/// The stored format of credentials: JSON with a version.
///
/// `Credentials` isn't `Codable`, so that only token stores can write secrets.
struct CredentialsRecord: Codable {
    /// The current version, which is also the newest that can be read.
    static let version = 1

    private let version: Int
    /// The API that the credentials are for.
    private let server: String
    private let token: String
    private let expiresAt: Date?
    private let refreshToken: String?
    private let refreshExpiresAt: Date?
    private let scopes: [String]
    private let user: JSONValue?
    /// The user's account; `nil` in older records, in which it's the user's `id`.
    private let accountID: String?
    private let signInID: String?

    private struct Version: Decodable {
        let version: Int
    }

    init(_ credentials: Credentials, for server: String) {
        version = Self.version
        self.server = server
        token = credentials.token.text
        expiresAt = credentials.expiresAt
        refreshToken = credentials.refreshToken?.text
        refreshExpiresAt = credentials.refreshExpiresAt
        scopes = credentials.scopes
        signInID = credentials.signInID
        user = credentials.user?.value
        accountID = credentials.user?.accountID
    }

    /// - Throws: `.notEncodable` if a date isn't finite.
    func encoded() throws(StorageFailure.Reason) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        do { return try encoder.encode(self) } catch { throw .notEncodable }
    }

    /// Decodes a record; `nil` if it's for another server.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if it isn't a valid record.
    static func credentials(from data: Data, for server: String) throws(StorageFailure.Reason) -> Credentials? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        if let found = try? decoder.decode(Version.self, from: data).version, found > version {
            throw .newerVersion(found: found, supported: version)
        }
        guard let record = try? decoder.decode(CredentialsRecord.self, from: data),
            let token = try? Secret(record.token)
        else { throw .damaged }
        guard record.server == server else { return nil }
        var credentials = Credentials(
            token: token,
            expiresAt: record.expiresAt,
            refreshToken: record.refreshToken.flatMap { try? Secret($0) },
            refreshExpiresAt: record.refreshExpiresAt,
            scopes: record.scopes
        )
        credentials.user = record.storedUser
        credentials.signInID = record.signInID
        return credentials
    }

    private var storedUser: StoredUser? {
        (accountID ?? user?.accountID).map { StoredUser(accountID: $0, value: user ?? .null) }
    }
}

extension JSONValue {
    /// The account of a user in older records, whose `id` is a number.
    fileprivate var accountID: String? {
        guard case .object(let members) = self, case .integer(let id) = members["id"] else { return nil }
        return String(id)
    }
}
