@_spi(Services) public import BrowseDomain
public import Foundation

/// Encodes credentials for a token store of your own, as JSON with a version.
///
/// The data contains the tokens in plain text, so the store must protect it. `Credentials` isn't
/// `Codable`, so that only token stores can write secrets.
public struct CredentialsCoder: Sendable {
    private struct Record: Codable {
        let version: Int
        /// The text of the session's name.
        let session: String
        let token: String
        let expiresAt: Date?
        let refreshToken: String?
        let issuedAt: Date?
        let scopes: [String]
        let userData: Data?
        let accountID: String?
        let signInID: String?
    }

    /// The current version, which is also the newest that can be read.
    private static let version = 1
    /// The maximum size of a record in bytes; a user is usually a few KiB.
    static let byteLimit = 1 << 20

    private let name: SessionName

    /// Creates a coder.
    ///
    /// - Parameter name: The name of the session that the credentials are for.
    public init(name: SessionName) {
        self.name = name
    }

    /// Encodes credentials.
    ///
    /// - Throws: `.notEncodable` if a date isn't finite, or the data exceeds 1 MiB, so that it
    ///   couldn't be decoded.
    public func encode(_ credentials: Credentials) throws(StorageFailure.Reason) -> Data {
        let record = Record(
            version: Self.version,
            session: name.text,
            token: credentials.token.text,
            expiresAt: credentials.expiresAt,
            refreshToken: credentials.refreshToken?.text,
            issuedAt: credentials.issuedAt,
            scopes: credentials.scopes,
            userData: credentials.user?.data,
            accountID: credentials.user?.accountID,
            signInID: credentials.signInID
        )
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(record), data.count <= Self.byteLimit else { throw .notEncodable }
        return data
    }

    /// Decodes credentials; `nil` if they are of another session.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if the data isn't valid.
    public func decode(_ data: Data) throws(StorageFailure.Reason) -> Credentials? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let numbers = try? decoder.decode([String: Lenient<Int>].self, from: data)
        if let found = numbers?["version"]?.value, found > Self.version {
            throw .newerVersion(found: found, supported: Self.version)
        }
        guard let record = try? decoder.decode(Record.self, from: data), let token = try? Secret(record.token)
        else { throw .damaged }
        guard record.session == name.text else { return nil }
        var credentials = Credentials(
            token: token,
            expiresAt: record.expiresAt,
            refreshToken: record.refreshToken.flatMap { try? Secret($0) },
            scopes: record.scopes
        )
        credentials.issuedAt = record.issuedAt
        credentials.user = record.accountID.map { StoredUser(accountID: $0, data: record.userData ?? Data()) }
        credentials.signInID = record.signInID
        return credentials
    }
}
