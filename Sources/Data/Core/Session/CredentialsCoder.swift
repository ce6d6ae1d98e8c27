public import BrowseDomain
public import Foundation

/// Encodes credentials for a token store of your own.
///
/// The data contains the tokens in plain text, so the store must protect it.
public struct CredentialsCoder: Sendable {
    private let name: SessionName

    /// Creates a coder.
    ///
    /// - Parameter name: The name of the session that the credentials are for.
    public init(name: SessionName) {
        self.name = name
    }

    /// Encodes credentials.
    ///
    /// - Throws: `.notEncodable` if a date isn't finite, or the data exceeds 1 MiB.
    public func encode(_ credentials: Credentials) throws(StorageFailure.Reason) -> Data {
        try CredentialsRecord(credentials, for: name).encoded()
    }

    /// Decodes credentials; `nil` if they are of another session.
    ///
    /// - Throws: `.newerVersion`, or `.damaged` if the data isn't valid.
    public func decode(_ data: Data) throws(StorageFailure.Reason) -> Credentials? {
        try CredentialsRecord.credentials(from: data, for: name)
    }
}
