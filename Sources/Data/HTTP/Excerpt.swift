import Foundation

/// Makes short texts for error values out of what a server sent, without anything that could be a secret.
enum Excerpt {
    /// The most scalars of the beginning of a body.
    static let longest = 120

    /// The beginning of a body: in JSON every text value becomes `"…"`, in anything else long words do.
    static func make(of body: Data, limit: Int = longest) -> String {
        // A value that is cut at the end is masked like any other, so a little more than the limit is enough to read.
        let head = String(decoding: body.prefix(4 * limit), as: UTF8.self)
        let isCut = body.count > 4 * limit
        let first = head.unicodeScalars.first { !$0.properties.isWhitespace && !isInvisible($0) }
        let isJSON = first.map { "[{\"".unicodeScalars.contains($0) } ?? false
        return cut(isJSON ? maskingValues(of: head, isCut: isCut) : maskingWords(of: head, isCut: isCut), to: limit)
    }

    /// Text in one line, each word of 20 or more letters, digits, hyphens, underscores or dots replaced by `…`.
    ///
    /// Tokens, keys, codes and cookies are longer than that (GitHub's shortest has 40); words of a language are not.
    ///
    /// - Parameter limit: The most scalars of the result, so that a pile of accents cannot make one character of it endless.
    static func masking(_ text: String, limit: Int) -> String {
        let head = String(text.unicodeScalars.prefix(4 * limit))
        return cut(maskingWords(of: head, isCut: head.utf8.count < text.utf8.count), to: limit)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "+", "=": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    /// - Parameter isCut: The text goes on, so that its last word may be the beginning of a long one.
    private static func maskingWords(of text: String, isCut: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        var word = String.UnicodeScalarView()
        func endWord(isCut: Bool = false) {
            result.append(contentsOf: word.count >= 20 || (isCut && !word.isEmpty) ? "…".unicodeScalars : word)
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if isWordPart(scalar) {
                word.append(scalar)
            } else if scalar.properties.isWhitespace {
                endWord()
                if result.last != " " { result.append(" ") }
            } else if !isInvisible(scalar) {
                // Invisible ones do not end a word: UTF-16 read as UTF-8 has a zero between any two letters of a secret.
                endWord()
                result.append(scalar)
            }
        }
        endWord(isCut: isCut)
        return String(result)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: !scalar.properties.isWhitespace
        default: false
        }
    }

    private static func maskingValues(of json: String, isCut: Bool) -> String {
        var result = ""
        var rest = json.unicodeScalars[...]
        while let quote = rest.firstIndex(of: "\"") {
            // Between texts stand punctuation and numbers, or anything at all when it is not quite JSON.
            result += maskingWords(of: String(rest[..<quote]))
            rest = rest[rest.index(after: quote)...]
            var text = String.UnicodeScalarView()
            var isClosed = false
            while let scalar = rest.popFirst() {
                if scalar == "\\" {
                    _ = rest.popFirst()
                    text.append("?")
                } else if scalar == "\"" {
                    isClosed = true
                    break
                } else {
                    text.append(scalar)
                }
            }
            let isKey = isClosed && rest.first { !$0.properties.isWhitespace } == ":"
            result += isKey ? "\"\(masking(String(text), limit: 40))\"" : "\"…\""
        }
        result += maskingWords(of: String(rest), isCut: isCut)
        return result
    }

    /// Shortens a text that has become longer, as by masking secrets.
    static func cut(_ text: String, to limit: Int = longest) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.unicodeScalars.count > limit else { return trimmed }
        return String(trimmed.unicodeScalars.prefix(limit - 1)) + "…"
    }
}
