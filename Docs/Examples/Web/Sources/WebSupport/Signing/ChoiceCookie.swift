/// A cookie with a choice that is no secret and needs no signature, such as a language.
public struct ChoiceCookie: Sendable {
    private let name: String

    /// Creates a cookie; its name has no prefix.
    public init(_ name: String) {
        self.name = "__Host-" + name
    }

    /// Returns the choice in a request, which can be any text; `nil` if there is none, or more than one.
    ///
    /// - Parameter headers: The values of the request's `Cookie` fields.
    public func value(in headers: [String]) -> String? {
        let values = VisitorCookie.values(of: name, in: headers)
        return values.count == 1 ? String(values[0]) : nil
    }

    /// Returns the value of the `Set-Cookie` field that stores a choice for a year.
    ///
    /// - Parameter choice: Letters and digits.
    public func setting(_ choice: String) -> String {
        "\(name)=\(choice); Max-Age=31536000; \(VisitorCookie.attributes)"
    }
}
