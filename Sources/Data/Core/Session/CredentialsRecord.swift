@_spi(Services) import BrowseDomain
import Foundation

/// The stored format of credentials: JSON with a version.
///
/// `Credentials` isn't `Codable`, so that only token stores can write secrets.
struct CredentialsRecord: Codable {
    /// The current version, which is also the newest that can be read.
    static let version = 1

    private let version: Int
    /// The text of the session's name.
    private let session: String
    private let token: String
    private let expiresAt: Date?
    private let refreshToken: String?
    private let issuedAt: Date?
    private let scopes: [String]
    private let user: JSONValue?
    private let accountID: String?
    private let signInID: String?

    private struct Version: Decodable {
        let version: Int
    }

    init(_ credentials: Credentials, for name: SessionName) {
        version = Self.version
        session = name.text
        token = credentials.token.text
        expiresAt = credentials.expiresAt
        refreshToken = credentials.refreshToken?.text
        issuedAt = credentials.issuedAt
        scopes = credentials.scopes
        signInID = credentials.signInID
        user = credentials.user?.value
        accountID = credentials.user?.accountID
    }

    /// The maximum size of a record in bytes; a user is usually a few KiB.
    static var byteLimit: Int { 1 << 20 }

    /// - Throws: `.notEncodable` if a date isn't finite, or the record exceeds its limit, so that it couldn't be read again.
    func encoded() throws(StorageFailure.Reason) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(self), data.count <= Self.byteLimit else { throw .notEncodable }
        return data
    }

    /// Decodes a record; `nil` if it's of another session.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if it isn't a valid record.
    static func credentials(from data: Data, for name: SessionName) throws(StorageFailure.Reason) -> Credentials? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        if let found = try? decoder.decode(Version.self, from: data).version, found > version {
            throw .newerVersion(found: found, supported: version)
        }
        guard let record = try? decoder.decode(CredentialsRecord.self, from: data),
            let token = try? Secret(record.token)
        else { throw .damaged }
        guard record.session == name.text else { return nil }
        var credentials = Credentials(
            token: token,
            expiresAt: record.expiresAt,
            refreshToken: record.refreshToken.flatMap { try? Secret($0) },
            scopes: record.scopes
        )
        credentials.issuedAt = record.issuedAt
        credentials.user = record.accountID.map { StoredUser(accountID: $0, value: record.user ?? .null) }
        credentials.signInID = record.signInID
        return credentials
    }
}
