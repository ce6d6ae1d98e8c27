public import Foundation

/// The random id of a visitor.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible {
    /// The id as text: 24 letters, digits, `-`, or `_`. Without its signature, it gives no access.
    public let rawValue: String

    /// Creates an id of 144 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        rawValue = Base64URL.encode((0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A digest from which the id can't be computed, for names in stores.
    public var digest: String { Digest.text(of: Data(rawValue.utf8)) }

    /// The first characters, enough to tell visitors apart in logs.
    public var description: String { "\(rawValue.prefix(6))…" }
}

/// The cookie that identifies a visitor: a signed ``VisitorID``.
///
/// Sign-in must replace the id, so that a cookie that somebody planted before doesn't become a session.
///
/// Browsers accept cookies with the prefix `__Host-` only with `Secure` and `Path=/` and without `Domain` (RFC 6265bis, section
/// 4.1.3.2), so neither another host nor plain http can set one. Chrome and Firefox also accept `Secure` cookies from
/// `http://127.0.0.1`; Safari doesn't, so ``Transport/plain`` exists for development there.
public struct VisitorCookie: Sendable {
    /// The connections for which the cookie is valid.
    public enum Transport: Hashable, Sendable {
        /// https, and http on this machine in Chrome and Firefox: `__Host-visitor`, `Secure`.
        case secure
        /// Any http: `visitor`, without `Secure`. For development only; it must be requested explicitly.
        case plain

        /// The prefix of a cookie's name.
        var prefix: String { self == .secure ? "__Host-" : "" }

        /// The attributes of a cookie after its lifetime.
        var attributes: String { "Path=/; HttpOnly; SameSite=Lax" + (self == .secure ? "; Secure" : "") }
    }

    private static let purpose = SignaturePurpose("visitor")

    private let signer: Signer
    private let transport: Transport
    private let lifetime: TimeInterval

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - signer: Signs the id.
    ///   - transport: The connections for which it is valid.
    ///   - lifetime: Its validity in seconds after it was set; 30 days unless given.
    public init(signer: Signer, transport: Transport = .secure, lifetime: TimeInterval = 30 * 86400) {
        self.signer = signer
        self.transport = transport
        self.lifetime = lifetime
    }

    /// The cookie's name.
    public var name: String { transport.prefix + "visitor" }

    /// Returns the visitor who sent a request.
    ///
    /// - Parameters:
    ///   - headers: The values of the request's `Cookie` fields.
    ///   - now: The current date.
    /// - Returns: The id; `nil` without the cookie, if its signature is invalid, or if it's there more than once.
    public func visitor(in headers: [String], at now: Date = Date()) -> VisitorID? {
        let values = Self.values(of: name, in: headers)
        guard values.count == 1, let value = try? signer.value(of: String(values[0]), for: Self.purpose, at: now) else {
            return nil
        }
        return VisitorID(rawValue: value)
    }

    /// Returns the value of the `Set-Cookie` field that identifies a visitor from now on.
    public func setting(_ visitor: VisitorID, at now: Date = Date()) -> String {
        let value = signer.sign(visitor.rawValue, for: Self.purpose, until: now.addingTimeInterval(lifetime))
        return "\(name)=\(value); Max-Age=\(Int(lifetime)); \(transport.attributes)"
    }

    /// The value of the `Set-Cookie` field that deletes the cookie.
    public var deletion: String { "\(name)=; Max-Age=0; \(transport.attributes)" }

    /// Returns the values of all cookies with a name.
    static func values(of name: String, in headers: [String]) -> [Substring] {
        headers.flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
    }
}
