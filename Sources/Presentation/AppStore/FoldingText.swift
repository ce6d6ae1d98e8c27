/// A long text that is shown in part until the reader wants all of it.
public struct FoldingText: Hashable, Sendable {
    /// The most lines that are shown of it: 3.
    public static let lineLimit: Int = 3
    /// The most characters that are shown of it: 200.
    public static let characterLimit: Int = 200

    /// All of it.
    public let text: String
    /// Its beginning, up to the limits and to the end of a word, followed by `…`; all of it when it is within them.
    public let preview: String

    /// Folds a text.
    public init(_ text: String) {
        self.text = text
        let lines = text.split(maxSplits: Self.lineLimit, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let head = lines.count > Self.lineLimit ? text[..<lines[Self.lineLimit].startIndex] : text[...]
        var cut = head.prefix(Self.characterLimit)
        // A language that is written without spaces is cut between characters.
        if cut.endIndex < head.endIndex, !head[cut.endIndex].isWhitespace,
            let space = cut.suffix(40).lastIndex(where: \.isWhitespace)
        {
            cut = cut[..<space]
        }
        while cut.last?.isWhitespace == true { cut.removeLast() }
        let isWhole = text[cut.endIndex...].allSatisfy(\.isWhitespace)
        preview = isWhole ? text : cut + "…"
    }

    /// Whether there is more than the preview.
    public var isFoldable: Bool { preview != text }
}
