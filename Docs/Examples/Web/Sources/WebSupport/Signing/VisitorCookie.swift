public import Foundation

/// The random id of a visitor, and the key of the visitor's stores.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible {
    /// The id, a ``RandomID``. Without its signature, it gives no access.
    public let rawValue: String
    /// The key of the visitor's stores, which stays when the id is replaced; it gives no access either.
    public let key: String

    /// Creates an id and a key.
    public init() {
        self.init(rawValue: RandomID.make(), key: RandomID.make())
    }

    init(rawValue: String, key: String) {
        self.rawValue = rawValue
        self.key = key
    }

    /// Returns a new id with the same key.
    public func replaced() -> VisitorID { VisitorID(rawValue: RandomID.make(), key: key) }

    /// Returns the same id with another key, for a visitor whose cookie was replaced.
    ///
    /// The same salt leads to the same key, so such a visitor has stores again, but not the former ones.
    public func detached(_ salt: String = "") -> VisitorID {
        VisitorID(rawValue: rawValue, key: Digest.text(of: Data("\(rawValue) \(key) \(salt)".utf8)))
    }

    /// A digest from which the id can't be computed, for stores.
    public var digest: String { Digest.text(of: Data(rawValue.utf8)) }

    /// The first characters, enough to tell visitors apart in logs.
    public var description: String { "\(rawValue.prefix(6))…" }
}

/// The cookie that identifies a visitor: a signed ``VisitorID``. It has to be renewed in the second half of its lifetime.
///
/// Sign-in must replace the id, so that a cookie that somebody planted before doesn't become a session.
///
/// Browsers accept cookies with the prefix `__Host-` only with `Secure` and `Path=/` and without `Domain` (RFC 6265bis, section
/// 4.1.3.2), so neither another host nor plain http can set one. Chrome and Firefox also accept `Secure` cookies from
/// `http://127.0.0.1`.
public struct VisitorCookie: Sendable {
    /// The attributes of a cookie after its lifetime.
    static let attributes = "Path=/; HttpOnly; SameSite=Lax; Secure"

    private static let purpose = SignaturePurpose("visitor")

    private let signer: Signer
    private let lifetime: TimeInterval

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - signer: Signs the id.
    ///   - lifetime: Its validity in seconds after it was set; 30 days unless given.
    public init(signer: Signer, lifetime: TimeInterval = 30 * 86400) {
        self.signer = signer
        self.lifetime = lifetime
    }

    /// The cookie's name.
    public let name = "__Host-visitor"

    /// Returns the visitor who sent a request, and whether the cookie has to be renewed.
    ///
    /// - Parameters:
    ///   - headers: The values of the request's `Cookie` fields.
    ///   - now: The current date.
    /// - Returns: The id; `nil` without the cookie, if its signature is invalid, or if it's there more than once.
    public func visitor(in headers: [String], at now: Date = Date()) -> (id: VisitorID, isAging: Bool)? {
        let values = Self.values(of: name, in: headers)
        func value(at date: Date) -> String? { try? signer.value(of: String(values[0]), for: Self.purpose, at: date) }
        guard values.count == 1, let parts = value(at: now)?.split(separator: " "), parts.count == 2 else { return nil }
        let id = VisitorID(rawValue: String(parts[0]), key: String(parts[1]))
        return (id, value(at: now.addingTimeInterval(lifetime / 2)) == nil)
    }

    /// Returns the value of the `Set-Cookie` field that identifies a visitor from now on.
    public func setting(_ visitor: VisitorID, at now: Date = Date()) -> String {
        let value = "\(visitor.rawValue) \(visitor.key)"
        let signed = signer.sign(value, for: Self.purpose, until: now.addingTimeInterval(lifetime))
        return "\(name)=\(signed); Max-Age=\(Int(lifetime)); \(Self.attributes)"
    }

    /// Returns the values of all cookies with a name.
    static func values(of name: String, in headers: [String]) -> [Substring] {
        headers.flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
    }
}
