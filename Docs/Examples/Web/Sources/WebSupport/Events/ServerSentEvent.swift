/// A message of an event stream (HTML Standard, section 9.2, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// The position in its ``EventLog``, which a browser sends back as `Last-Event-ID`; `nil` isn't resumed from.
    public var id: String?
    /// The type, for `addEventListener`. Line breaks are removed.
    public var name: String
    /// Any text. It can't begin another field or message, however its lines are broken.
    public var data: String

    /// Creates a message.
    public init(id: String? = nil, name: String, data: String) {
        self.id = id
        self.name = name
        self.data = data
    }

    /// A comment, which browsers ignore.
    static let heartbeat = ":\n\n"

    /// The message in the stream's format.
    public var encoded: String {
        var text = id.map { "id: \($0.filter { !$0.isNewline })\n" } ?? ""
        text += "event: \(name.filter { !$0.isNewline })\n"
        for line in Self.lines(of: data) { text += "data: \(line)\n" }
        return text + "\n"
    }

    /// Returns the lines as browsers separate them: by CRLF, LF, and CR only.
    private static func lines(of text: String) -> [Substring] {
        // By scalar, since a character can begin with a line break: CRLF does.
        let text = text.replacing(/\r\n?/.matchingSemantics(.unicodeScalar), with: "\n")
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
    }
}
