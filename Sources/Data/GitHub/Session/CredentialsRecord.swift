import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// The stored format of credentials: JSON with a version.
///
/// `GitHub.Credentials` isn't `Codable`, so that only token stores can write secrets.
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
    private let user: User?
    private let signInID: String?

    private struct User: Codable {
        let id: Int64
        let login: String
        let avatar: String?
        let webPage: String?
        let kind: String
    }

    private struct Version: Decodable {
        let version: Int
    }

    init(_ credentials: GitHub.Credentials, for server: String) {
        version = Self.version
        self.server = server
        token = credentials.token.text
        expiresAt = credentials.expiresAt
        refreshToken = credentials.refreshToken?.text
        refreshExpiresAt = credentials.refreshExpiresAt
        scopes = credentials.scopes
        signInID = credentials.signInID
        user = credentials.user.map { user in
            User(
                id: user.id.rawValue,
                login: user.login.rawValue,
                avatar: user.avatar?.rawValue,
                webPage: user.webPage?.rawValue,
                kind: user.kind.rawValue
            )
        }
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Decodes a record; `nil` if it's for another server.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if it isn't a valid record.
    static func credentials(from data: Data, for server: String) throws(StorageFailure.Reason) -> GitHub.Credentials? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        if let found = try? decoder.decode(Version.self, from: data).version, found > version {
            throw .newerVersion(found: found, supported: version)
        }
        guard let record = try? decoder.decode(CredentialsRecord.self, from: data),
            let token = try? Secret(record.token)
        else { throw .damaged }
        guard record.server == server else { return nil }
        var credentials = GitHub.Credentials(
            token: token,
            expiresAt: record.expiresAt,
            refreshToken: record.refreshToken.flatMap { try? Secret($0) },
            refreshExpiresAt: record.refreshExpiresAt,
            scopes: record.scopes,
            user: record.user.map { user in
                GitHub.User(
                    id: GitHub.User.ID(rawValue: user.id),
                    login: GitHub.Login(user.login),
                    avatar: user.avatar.map(WebAddress.init(rawValue:)),
                    webPage: user.webPage.map(WebAddress.init(rawValue:)),
                    kind: GitHub.User.Kind(rawValue: user.kind)
                )
            }
        )
        credentials.signInID = record.signInID
        return credentials
    }
}
