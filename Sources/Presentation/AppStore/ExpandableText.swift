/// A long text with a preview.
struct ExpandableText: Hashable, Sendable {
    /// The most lines of a preview: 3.
    static let lineLimit = 3
    /// The most characters of a preview: 200.
    static let characterLimit = 200

    let text: String
    /// The beginning of the text, cut after a word; the entire text if it's within the limits.
    let preview: String

    init(_ text: String) {
        self.text = text
        let lines = text.split(maxSplits: Self.lineLimit, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let head = lines.count > Self.lineLimit ? text[..<lines[Self.lineLimit].startIndex] : text[...]
        var cut = head.prefix(Self.characterLimit)
        // Text without spaces, as in Japanese, is cut between characters.
        if cut.endIndex < head.endIndex, !head[cut.endIndex].isWhitespace,
            let space = cut.suffix(40).lastIndex(where: \.isWhitespace)
        {
            cut = cut[..<space]
        }
        while cut.last?.isWhitespace == true { cut.removeLast() }
        let isWhole = text[cut.endIndex...].allSatisfy(\.isWhitespace)
        preview = isWhole ? text : cut + "…"
    }

    /// Whether the preview is shorter than the text.
    var isExpandable: Bool { preview != text }
}
