public import Foundation
public import Hummingbird

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
    public static let name = "__Host-visitor"

    /// Returns the visitor who sent a request, and whether the cookie has to be renewed.
    ///
    /// - Parameters:
    ///   - value: The value of the request's cookie.
    ///   - now: The current date.
    /// - Returns: The id; `nil` without the cookie, or if its signature is invalid.
    public func visitor(in value: String?, at now: Date = Date()) -> (id: VisitorID, isAging: Bool)? {
        func text(at date: Date) -> String? { try? signer.value(of: value ?? "", for: Self.purpose, at: date) }
        guard let parts = text(at: now)?.split(separator: " "), parts.count == 2 else { return nil }
        let id = VisitorID(rawValue: String(parts[0]), key: String(parts[1]))
        return (id, text(at: now.addingTimeInterval(lifetime / 2)) == nil)
    }

    /// Returns the cookie that identifies a visitor from now on.
    public func setting(_ visitor: VisitorID, at now: Date = Date()) -> Cookie {
        let value = "\(visitor.rawValue) \(visitor.key)"
        let signed = signer.sign(value, for: Self.purpose, until: now.addingTimeInterval(lifetime))
        return Cookie(name: Self.name, value: signed, maxAge: Int(lifetime))
    }
}

extension Cookie {
    /// Creates a cookie of this host alone, which scripts can't read.
    package init(name: String, value: String, maxAge: Int) {
        self.init(
            name: name,
            value: value,
            maxAge: maxAge,
            path: "/",
            secure: true,
            httpOnly: true,
            sameSite: .lax
        )
    }
}
