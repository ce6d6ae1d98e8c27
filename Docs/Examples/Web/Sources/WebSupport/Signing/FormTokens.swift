public import Foundation

/// Creates and checks the tokens of forms.
///
/// A token proves that a form came from a page of the same visitor.
///
/// They protect against cross-site request forgery, together with ``OriginPolicy``.
public struct FormTokens: Sendable {
    private static let purpose = SignaturePurpose("form")

    private let signer: Signer
    private let lifetime: TimeInterval

    /// Creates a source of tokens.
    ///
    /// - Parameters:
    ///   - signer: Signs the tokens.
    ///   - lifetime: The validity of a token in seconds, rounded up to the full hour; 30 days unless given,
    ///     like the visitor's cookie.
    public init(signer: Signer, lifetime: TimeInterval = 30 * 86400) {
        self.signer = signer
        self.lifetime = lifetime
    }

    /// Returns the token for the forms of a visitor's pages; the same during an hour.
    public func token(for visitor: VisitorID, at now: Date = Date()) -> String {
        let hours = ((now.timeIntervalSince1970 + lifetime) / 3600).rounded(.up)
        return signer.sign(
            "\(visitor.rawValue) \(visitor.key)",
            for: Self.purpose,
            until: Date(timeIntervalSince1970: hours * 3600)
        )
    }

    /// Checks the token of a form that a visitor sent.
    ///
    /// - Parameters:
    ///   - token: The token in the form; `nil` is malformed.
    ///   - visitor: The visitor of the request.
    ///   - now: The current date.
    /// - Returns: Whether it's current; `false` from before the visitor's id was replaced, or after its lifetime.
    /// - Throws: ``SignatureError``; `.forged` also for the token of another visitor.
    public func check(_ token: String?, of visitor: VisitorID, at now: Date = Date()) throws(SignatureError) -> Bool {
        guard let token else { throw .malformed }
        let value: String
        do throws(SignatureError) { value = try signer.value(of: token, for: Self.purpose, at: now) } catch {
            if error == .expired { return false }
            throw error
        }
        let parts = value.split(separator: " ")
        guard parts.count == 2 else { throw .malformed }
        if parts[0] == visitor.rawValue { return true }
        guard parts[1] == visitor.key else { throw .forged }
        return false
    }
}
