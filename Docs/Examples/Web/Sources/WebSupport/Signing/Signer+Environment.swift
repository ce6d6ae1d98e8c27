import Crypto

/// An environment variable that doesn't contain a usable key.
public struct InvalidSigningKey: Error, Hashable, CustomStringConvertible {
    /// The variable's name. Its value is a secret, and isn't part of the error.
    public let variable: String

    /// The error with the command that creates a key.
    public var description: String {
        "\(variable) must be at least 32 bytes in base64; create it with: openssl rand -base64 32"
    }
}

extension Signer {
    /// Creates a signer with the keys of the environment.
    ///
    /// `WEB_SIGNING_KEY` and, optionally, `WEB_SIGNING_KEY_PREVIOUS` are at least 32 bytes in base64. Without them, the key is
    /// random, which suits a single process: visitors lose their sessions when it ends.
    ///
    /// - Parameter environment: The variables, for example `ProcessInfo.processInfo.environment`.
    /// - Throws: ``InvalidSigningKey`` if a variable is set but isn't a key: a random key would hide the mistake.
    public init(environment: [String: String]) throws(InvalidSigningKey) {
        let key = try Self.key("WEB_SIGNING_KEY", in: environment)
        let previousKey = try Self.key("WEB_SIGNING_KEY_PREVIOUS", in: environment)
        self.init(key: key ?? SymmetricKey(size: .bits256), previousKey: previousKey)
    }

    private static func key(
        _ variable: String,
        in environment: [String: String]
    ) throws(InvalidSigningKey) -> SymmetricKey? {
        guard let text = environment[variable] else { return nil }
        let unpadded = text.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
        guard let bytes = Base64URL.decode(unpadded), bytes.count >= 32 else {
            throw InvalidSigningKey(variable: variable)
        }
        return SymmetricKey(data: bytes)
    }
}
