import Crypto
import Foundation

/// The random id of a visitor, and the key of the visitor's stores.
struct VisitorID: Hashable, Sendable, CustomStringConvertible {
    /// The id, a ``RandomID``. Without its signature, it gives no access.
    let rawValue: String
    /// The key of the visitor's stores, which stays when the id is replaced; it gives no access either.
    let key: String

    /// Creates an id and a key.
    init() { self.init(rawValue: RandomID.make(), key: RandomID.make()) }

    init(rawValue: String, key: String) { (self.rawValue, self.key) = (rawValue, key) }

    /// Returns a new id with the same key.
    func replaced() -> VisitorID { VisitorID(rawValue: RandomID.make(), key: key) }

    /// Returns the same id with another key, for a visitor whose cookie was replaced.
    ///
    /// The same salt leads to the same key, so such a visitor has stores again, but not the former ones.
    func detached(_ salt: String = "") -> VisitorID {
        VisitorID(rawValue: rawValue, key: Self.digest("\(rawValue) \(key) \(salt)"))
    }

    /// A digest from which the id can't be computed, for stores.
    var digest: String { Self.digest(rawValue) }

    /// The first half of the SHA-256 digest as hexadecimal digits.
    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).description.drop { $0 != ":" }.dropFirst(2).prefix(32).description
    }

    /// The first characters, enough to tell visitors apart in logs.
    var description: String { "\(rawValue.prefix(6))…" }
}

/// The value of the cookie that identifies a visitor: a signed ``VisitorID``. It has to be renewed in the second half of its lifetime.
///
/// Sign-in must replace the id, so that a cookie that somebody planted before doesn't become a session.
struct VisitorCookie: Sendable {
    private static let purpose = SignaturePurpose("visitor")

    private let signer: Signer
    /// The time in seconds that a value is valid.
    let lifetime: TimeInterval

    /// Creates values with a lifetime in seconds; 30 days unless given.
    init(signer: Signer, lifetime: TimeInterval = 30 * 86400) {
        self.signer = signer
        self.lifetime = lifetime
    }

    /// Returns the visitor of a cookie, and whether to renew it; `nil` if its signature is invalid.
    func visitor(in value: String?, at now: Date = Date()) -> (id: VisitorID, isAging: Bool)? {
        func text(at date: Date) -> String? { signer.value(of: value ?? "", for: Self.purpose, at: date) }
        guard let parts = text(at: now)?.split(separator: " "), parts.count == 2 else { return nil }
        let id = VisitorID(rawValue: String(parts[0]), key: String(parts[1]))
        return (id, text(at: now.addingTimeInterval(lifetime / 2)) == nil)
    }

    /// Returns the value that identifies a visitor from now on.
    func value(of visitor: VisitorID, at now: Date = Date()) -> String {
        signer.sign("\(visitor.rawValue) \(visitor.key)", for: Self.purpose, until: now.addingTimeInterval(lifetime))
    }
}
