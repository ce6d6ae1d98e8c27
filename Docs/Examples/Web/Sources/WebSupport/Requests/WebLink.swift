/// Checks addresses that end up in pages.
public enum WebLink {
    /// Returns the address of a link to another site.
    ///
    /// The text comes from a service, where anybody can enter it. The result is safe in an `href` attribute once it is escaped.
    ///
    /// - Parameter text: An address with or without a scheme, such as the blog in a profile.
    /// - Returns: An https address; `nil` for other schemes, user info (`https://bank.example@evil.example`), spaces, control
    ///   characters, and backslashes, which browsers read as slashes.
    public static func external(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= 2048,
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && !isInvisible($0) && $0 != "\\" })
        else { return nil }
        let scheme = text.prefix(8).lowercased()
        let hasScheme = scheme == "https://"
        let rest = hasScheme ? text.dropFirst(8) : text[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@"), let host = host(of: authority), host.contains(".") else {
            return nil
        }
        return hasScheme ? "https://" + rest : "https://" + text
    }

    /// Returns the path of this server to which a form or a sign-in returns.
    ///
    /// - Parameter text: The text of a request, such as the query item `return`.
    /// - Returns: The path with its query; `/` if the text could lead to another site.
    public static func local(_ text: String?) -> String {
        guard let text, text.utf8.count <= 2048, text.hasPrefix("/"),
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }), !text.dropFirst().hasPrefix("/")
        else { return "/" }
        return text
    }

    /// Returns the host of an authority without user info; `nil` if its port isn't a number.
    private static func host(of authority: Substring) -> Substring? {
        guard let colon = authority.firstIndex(of: ":") else { return authority }
        let port = authority[authority.index(after: colon)...]
        guard !port.isEmpty, port.utf8.count <= 5, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return authority[..<colon]
    }

    /// Returns whether a character isn't shown, or changes the direction of others.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
