import BrowseKit

/// A subset of Markdown as HTML: headings, paragraphs, lists, code, styles, and links over https.
///
/// Comments aren't shown, and everything else stays text. Lists and styles aren't nested, and no text is searched twice, so the
/// work is as long as the text.
struct Markdown {
    private enum Block { case paragraph, bullets, numbers, table, code, comment }

    private(set) var html: [HTML] = []
    private var block = Block.paragraph
    /// The text of a paragraph, the items of a list, or the lines of code.
    private var lines: [String] = []
    private var fence = ""
    private var firstNumber = 1
    /// Whether a blank line follows the last item of a list.
    private var isLoose = false
    /// The levels of the page's heading and of the last one.
    private let base: Int
    private var level: Int

    /// Renders a text below a heading of a level.
    init(_ text: String, below level: Int) {
        (base, self.level) = (level, level)
        var source = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        // What other programs read at the beginning of a file, such as the title of a page.
        let isFrontMatter = source.first == "---" && source.dropFirst().first?.prefix { $0 != " " }.last == ":"
        if isFrontMatter, source.dropFirst().contains("---") {
            source.removeFirst()
            begin(.code)
            fence = "---"
        }
        for line in source { add(line) }
        end()
    }

    private mutating func add(_ line: Substring) {
        var text = line.drop { $0 == " " || $0 == "\t" }
        // Code without a fence, whose comments are no headings (CommonMark, section 4.4).
        let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
        // Comments, which also have several lines (CommonMark, section 4.6).
        while block == .comment || block != .code && !isIndented && text.hasPrefix("<!--") {
            if block != .comment { begin(.comment) }
            guard let mark = text.firstRange(of: "-->") else { return }
            end()
            text = text[mark.upperBound...].drop(while: \.isWhitespace)
            if text.isEmpty { return }
        }
        let depth = text.prefix { $0 == "#" }.count
        if block == .code {
            let isEnd = text.hasPrefix(fence) && text.allSatisfy { $0 == fence.first || $0.isWhitespace }
            if isEnd { end() } else { lines.append(String(line)) }
        } else if let marks = Self.fence(Self.item(text)?.text ?? text) {
            begin(.code)
            fence = String(marks)
        } else if text.isEmpty {
            if block == .bullets || block == .numbers { isLoose = true } else { end() }
        } else if block == .paragraph, let title = lines.first, !isIndented, let depth = Self.underline(text) {
            lines = []
            addHeading(title.split(whereSeparator: \.isWhitespace), depth)
        } else if Self.isRule(text) {
            end()
        } else if 1...6 ~= depth, text.dropFirst(depth).first == " ", !isIndented {
            end()
            var words = text.dropFirst(depth).split(whereSeparator: \.isWhitespace)
            // Marks can also close a heading (CommonMark, section 4.2).
            if words.count > 1, words.last?.allSatisfy({ $0 == "#" }) == true { words.removeLast() }
            addHeading(words, depth)
        } else if let item = Self.item(text) {
            if block != item.block {
                begin(item.block)
                firstNumber = item.number
            }
            isLoose = false
            lines.append(String(item.text))
        } else if text.hasPrefix("|") {
            if block != .table { begin(.table) }
            lines.append(String(text))
        } else {
            if block == .table || isLoose { end() }
            if lines.isEmpty { lines.append(String(text)) } else { lines[lines.count - 1] += "\n" + text }
        }
    }

    private mutating func addHeading(_ words: [Substring], _ depth: Int) {
        // No level is left out.
        level = min(base + depth, level + 1, 6)
        html.append("<h\(level)>\(Self.inline(words.joined(separator: " ")[...]))</h\(level)>")
    }

    private mutating func begin(_ block: Block) {
        end()
        self.block = block
    }

    private mutating func end() {
        switch block {
        case _ where lines.isEmpty: break
        case .paragraph: html.append("<p>\(Self.inline(lines[0][...]))</p>")
        case .bullets: html.append("<ul>\(items)</ul>")
        case .numbers: html.append("<ol start=\"\(firstNumber)\">\(items)</ol>")
        case .comment: break
        case .table, .code: html.append("<pre><code>\(lines.joined(separator: "\n"))</code></pre>")
        }
        (block, lines, isLoose) = (.paragraph, [], false)
    }

    private var items: [HTML] { lines.map { "<li>\(Self.inline($0[...]))</li>" } }

    /// Returns the marks that begin a block of code, of which at least as many end it.
    private static func fence(_ text: Substring) -> Substring? {
        guard let mark = text.first, mark == "`" || mark == "~" else { return nil }
        let marks = text.prefix { $0 == mark }
        // Code in a line can begin with several backticks (CommonMark, section 4.5).
        return marks.count < 3 || mark == "`" && text[marks.endIndex...].contains(mark) ? nil : marks
    }

    /// Returns the depth of the heading that a line underlines (CommonMark, section 4.3).
    private static func underline(_ text: Substring) -> Int? {
        let marks = text.prefix { $0 == text.first }
        let isUnderline = text[marks.endIndex...].allSatisfy(\.isWhitespace)
        return isUnderline && marks.first == "=" ? 1 : isUnderline && marks.first == "-" ? 2 : nil
    }

    /// Whether a line is a rule, or a line without a heading above it (CommonMark, sections 4.1 and 4.3).
    private static func isRule(_ text: Substring) -> Bool {
        let marks = text.filter { $0 != " " && $0 != "\t" }
        guard marks.count >= 3, let mark = marks.first, "-=*_".contains(mark) else { return false }
        return marks.allSatisfy { $0 == mark }
    }

    private static func item(_ text: Substring) -> (block: Block, number: Int, text: Substring)? {
        if let mark = text.first, "-*+".contains(mark), text.dropFirst().first == " " {
            return (.bullets, 1, text.dropFirst(2))
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.utf8.count < 10, let number = Int(digits) else { return nil }
        let rest = text[digits.endIndex...]
        return rest.hasPrefix(". ") || rest.hasPrefix(") ") ? (.numbers, number, rest.dropFirst(2)) : nil
    }

    /// Returns a text with styles and links; in a style, without another one.
    private static func inline(_ text: Substring, isStyled: Bool = false) -> [HTML] {
        var html: [HTML] = []
        var (start, place) = (text.startIndex, text.startIndex)
        while let mark = text[place...].firstIndex(where: { "`[!*\\<&".contains($0) }) {
            let rest = text[mark...]
            if rest.first == "\\", let next = rest.dropFirst().first, Self.isEscapable(next) {
                html.append("\(String(text[start..<mark]))")
                start = text.index(after: mark)
                place = text.index(after: start)
            } else if let (element, end) = code(rest) ?? comment(rest) ?? link(rest) ?? character(rest)
                ?? (isStyled ? nil : style(rest))
            {
                html += ["\(String(text[start..<mark]))", element]
                (start, place) = (end, end)
            } else {
                // The last of several brackets can begin a link or a comment.
                let length = "[!<&".contains(text[mark]) ? 1 : rest.prefix { $0 == text[mark] }.count
                place = text.index(mark, offsetBy: length)
            }
        }
        return html + ["\(String(text[start...]))"]
    }

    /// Whether a backslash before a character only says that it's no mark (CommonMark, section 2.4).
    private static func isEscapable(_ next: Character) -> Bool {
        next.isASCII && (next.isPunctuation || next.isSymbol || next == "\n")
    }

    /// Returns code, which ends at the next backticks.
    private static func code(_ text: Substring) -> (HTML, end: String.Index)? {
        guard text.first == "`" else { return nil }
        let mark = text.prefix { $0 == "`" }
        let code = text[mark.endIndex...].prefix { $0 != "`" }
        let end = text[code.endIndex...].prefix { $0 == "`" }
        guard end.count == mark.count else { return nil }
        return ("<code>\(String(code))</code>", end.endIndex)
    }

    /// Returns nothing for a comment in a line.
    private static func comment(_ text: Substring) -> (HTML, end: String.Index)? {
        guard text.hasPrefix("<!--") else { return nil }
        let inner = text.dropFirst(4).prefix { $0 != "<" }
        return inner.firstRange(of: "-->").map { ("", end: $0.upperBound) }
    }

    /// Returns an address over https in angle brackets (CommonMark, section 6.5).
    private static func bareLink(_ text: Substring) -> (HTML, end: String.Index)? {
        let address = text.dropFirst().prefix { $0 != "<" && $0 != ">" && !$0.isWhitespace }
        guard text[address.endIndex...].first == ">", let link = Link(WebAddress(String(address))) else { return nil }
        return (link.html(String(address)), text.index(after: address.endIndex))
    }

    /// Returns the name of a character as it is, which browsers know: `&nbsp;` (CommonMark, section 2.5).
    private static func character(_ text: Substring) -> (HTML, end: String.Index)? {
        guard text.first == "&" else { return nil }
        let name = text.dropFirst().prefix(32).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "#" }
        guard !name.isEmpty, text[name.endIndex...].first == ";", !isMark(name) else { return nil }
        return (HTML(stringLiteral: "&\(name);"), text.index(after: name.endIndex))
    }

    /// Whether a name stands for a directional control, or for a mark such as an accent.
    ///
    /// A control wouldn't end with the text, and a text can have only a few marks in a row.
    private static func isMark(_ name: Substring) -> Bool {
        guard name.first == "#" else { return ["DotDot", "DownBreve", "TripleDot", "tdot"].contains(name) }
        let isHex = name.dropFirst().first?.lowercased() == "x"
        let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
        guard let properties = number.flatMap(Unicode.Scalar.init)?.properties else { return false }
        let marks: [Unicode.GeneralCategory] = [.nonspacingMark, .spacingMark, .enclosingMark]
        return properties.isBidiControl || marks.contains(properties.generalCategory) && !properties.isVariationSelector
    }

    /// Returns bold text, italic text, or both, which ends at the next asterisks.
    private static func style(_ text: Substring) -> (HTML, end: String.Index)? {
        let mark = text.prefix { $0 == "*" }
        guard 1...3 ~= mark.count else { return nil }
        let inner = text[mark.endIndex...].prefix { $0 != "*" }
        let end = text[inner.endIndex...].prefix { $0 == "*" }
        guard end.count == mark.count, inner.first?.isWhitespace == false,
            inner.last?.isWhitespace == false, inner.last != "\\"
        else { return nil }
        let content = inline(inner, isStyled: true)
        let html: HTML = mark.count == 1 ? "\(content)" : "<strong>\(content)</strong>"
        return (mark.count == 2 ? html : "<em>\(html)</em>", end.endIndex)
    }

    /// Returns a link, an address as a link, the link of a picture, or the description of a picture.
    private static func link(_ text: Substring) -> (HTML, end: String.Index)? {
        if text.hasPrefix("<https://") { return bareLink(text) }
        let isBadge = text.hasPrefix("[!")
        let isImage = text.first == "!"
        let start = isBadge ? text.dropFirst(2) : isImage ? text.dropFirst() : text
        guard start.first == "[" else { return nil }
        let title = start.dropFirst().prefix { $0 != "[" && $0 != "]" }
        guard var (address, end) = address(text[title.endIndex...]) else { return nil }
        if isBadge {
            guard let page = Self.address(text[end...]) else { return nil }
            (address, end) = page
        }
        let name = title.filter { !"`*\\".contains($0) }
        guard !isImage, name.contains(where: { !$0.isWhitespace }) else { return isImage ? ("\(name)", end) : nil }
        let isHTTPS = address.prefix(8).lowercased() == "https://"
        let link = isHTTPS ? Link(WebAddress(String(address))) : nil
        return (link?.html(name) ?? "\(name)", end)
    }

    /// Returns the address that follows the title of a link.
    private static func address(_ text: Substring) -> (Substring, end: String.Index)? {
        guard text.hasPrefix("](") else { return nil }
        // Parentheses in it have partners (CommonMark, section 6.3). Another link begins after one without, at the latest.
        var depth = 0
        let address = text.dropFirst(2).prefix { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth >= 0 && !character.isWhitespace && (character != "[" || depth == 0)
        }
        guard depth <= 0 else { return nil }
        var rest = text[address.endIndex...]
        // A title, which isn't shown (CommonMark, section 6.3).
        let title = rest.drop { $0 == " " }
        if rest.first == " ", let mark = title.first, mark == "\"" || mark == "'" {
            rest = title.dropFirst().drop { $0 != mark && $0 != "\n" }.dropFirst()
        }
        guard rest.first == ")" else { return nil }
        return (address, rest.index(after: rest.startIndex))
    }
}
