public import BrowseDomain
public import Foundation

/// Encodes credentials for a token store of your own.
///
/// The data contains the tokens in plain text, so the store must protect it. Data of older versions can be decoded.
public struct CredentialsCoder: Sendable {
    private let server: String

    /// Creates a coder.
    ///
    /// - Parameter server: The base URL of the API that the credentials are for; only its origin is used.
    public init(server: URL) {
        self.server = SessionFile.text(for: server)
    }

    /// Encodes credentials.
    ///
    /// - Throws: `.notEncodable` if a date isn't finite.
    public func encode(_ credentials: Credentials) throws(StorageFailure.Reason) -> Data {
        try CredentialsRecord(credentials, for: server).encoded()
    }

    /// Decodes credentials; `nil` if they are for another origin.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if the data isn't valid.
    public func decode(_ data: Data) throws(StorageFailure.Reason) -> Credentials? {
        try CredentialsRecord.credentials(from: data, for: server)
    }
}
