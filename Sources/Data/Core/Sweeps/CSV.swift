@_spi(Services) import BrowseDomain

enum CSV {
    /// Returns a line with its end (RFC 4180).
    static func line(_ values: some Sequence<String>) -> String {
        values.map(field).joined(separator: ",") + "\r\n"
    }

    /// Returns a field in quotes if it needs them.
    ///
    /// A spreadsheet would evaluate a text that begins like a formula. An apostrophe before it prevents that, and marks it as text;
    /// numbers such as -5 are unchanged. Source: OWASP, "CSV Injection".
    private static func field(_ value: String) -> String {
        var value = value
        if let first = value.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first), !isNumber(value) {
            value = "'" + value
        }
        guard value.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }

    private static func isNumber(_ value: String) -> Bool {
        Double(value) != nil && value.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }
}
