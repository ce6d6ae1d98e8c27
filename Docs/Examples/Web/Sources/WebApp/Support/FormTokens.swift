/// Creates and checks the tokens of forms.
///
/// A token proves that a form came from a page of the same visitor. It's valid as long as the visitor's id, which signing in and out
/// replace, so a page can stay open for weeks.
///
/// They protect against cross-site request forgery, together with ``OriginPolicy``.
struct FormTokens: Sendable {
    private static let purpose = SignaturePurpose("form")

    private let signer: Signer

    init(signer: Signer) { self.signer = signer }

    /// Returns the token for the forms of a visitor's pages, which is always the same.
    func token(for visitor: VisitorID) -> String {
        signer.sign("\(visitor.rawValue) \(visitor.key)", for: Self.purpose)
    }

    /// Checks the token of a form that a visitor sent; it's `.forged` if it's that of another one.
    ///
    /// - Returns: Whether it's current; `false` from before the visitor's id was replaced.
    func check(_ token: String?, of visitor: VisitorID) throws(SignatureError) -> Bool {
        guard let token else { throw .malformed }
        let parts = try signer.value(of: token, for: Self.purpose).split(separator: " ")
        guard parts.count == 2 else { throw .malformed }
        if parts[0] == visitor.rawValue { return true }
        guard parts[1] == visitor.key else { throw .forged }
        return false
    }
}
