/// A cookie with a choice that is no secret and needs no signature, such as a language.
public struct ChoiceCookie: Sendable {
    private let name: String
    private let transport: VisitorCookie.Transport

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name without a prefix.
    ///   - transport: The connections for which the cookie is valid.
    public init(_ name: String, transport: VisitorCookie.Transport = .secure) {
        self.name = transport.prefix + name
        self.transport = transport
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
        "\(name)=\(choice); Max-Age=31536000; \(transport.attributes)"
    }
}
