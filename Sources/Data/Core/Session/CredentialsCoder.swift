@_spi(Services) public import BrowseDomain
public import Foundation

/// Encodes credentials for a token store of your own, as JSON with a version.
///
/// The data contains the tokens in plain text, so the store must protect it. `Credentials` isn't `Codable`, so that only token
/// stores can write secrets.
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

    private struct Version: Decodable {
        let version: Int
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
    /// - Throws: `.notEncodable` if a date isn't finite, or the data exceeds 1 MiB, so that it couldn't be decoded.
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
        if let found = try? decoder.decode(Version.self, from: data).version, found > Self.version {
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

/// The name of a service's session in its store: the service, and the base URL of its API.
///
/// Services have sessions of their own, even behind one gateway, and so have the servers of one service.
public struct SessionName: Hashable, Sendable {
    /// The name as text, such as `Books https://api.books.example`, for stores of your own.
    public let text: String
    /// A file name that is unique, even on case-insensitive file systems.
    ///
    /// All bytes but lowercase letters, digits, dots, and the hyphens of an address are escaped as `_` and two hexadecimal digits.
    /// Long names are truncated, with `~` and a digest appended.
    let fileName: String

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - service: The service, such as `Books`.
    ///   - server: The base URL of its API; a slash at the end makes no difference.
    public init(_ service: String, at server: URL) {
        var path = server.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        let address = Origin(server).map { $0.text + path } ?? server.absoluteString
        text = service + " " + address
        let service = Self.escape(service).replacing("-", with: "_2d")
        let name = "session-" + service + "-" + Self.escape(address.replacing("://", with: "-", maxReplacements: 1))
        // With suffixes, file systems allow 255 bytes.
        let limit = 160
        let isLong = name.utf8.count > limit
        fileName = (isLong ? name.prefix(limit / 2) + "~" + SHA256Digest.hash(name).hexadecimal : name) + ".json"
    }

    private static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte.isASCIILowercase || byte.isASCIIDigit || ".-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_" + CollectionOfOne(byte).hexadecimal
        }
        .joined()
    }
}
