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

    /// Returns whether the token of a form is current; `nil` if it isn't the visitor's.
    ///
    /// One from before the visitor's id was replaced isn't, nor that of a page with other stores: the second of two clicks
    /// comes with the former cookie, and must not begin a session with empty stores.
    func isCurrent(_ token: String?, of visitor: VisitorID) -> Bool? {
        let parts = token.flatMap { signer.value(of: $0, for: Self.purpose) }?.split(separator: " ") ?? []
        guard parts.count == 2 else { return nil }
        let has = (id: parts[0] == visitor.rawValue, stores: parts[1] == visitor.key)
        return has.id || has.stores ? has.id && has.stores : nil
    }
}
