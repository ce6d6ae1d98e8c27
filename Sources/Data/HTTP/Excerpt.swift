import Foundation

/// Makes short texts for error values out of what a server sent, without anything that could be a secret.
enum Excerpt {
    /// The beginning of a body: in JSON every text value becomes `"…"`, in anything else long words do.
    static func make(of body: Data, limit: Int = 120) -> String {
        // A value that is cut at the end is masked like any other, so a little more than the limit is enough to read.
        let head = String(decoding: body.prefix(4 * limit), as: UTF8.self)
        let isJSON = head.first { !$0.isWhitespace }.map { "[{\"".contains($0) } ?? false
        return isJSON ? cut(maskingValues(of: head), to: limit) : masking(head, limit: limit)
    }

    /// Text in one line, each word of 20 or more letters, digits, hyphens, underscores or dots replaced by `…`.
    ///
    /// Tokens, keys, codes and cookies are longer than that (GitHub's shortest has 40); words of a language are not.
    static func masking(_ text: String, limit: Int) -> String {
        var result = ""
        var word = ""
        func isWordPart(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "-_.+=".contains(character)
        }
        func endWord() {
            result += word.count >= 20 ? "…" : word
            word = ""
        }
        for character in text.prefix(4 * limit) {
            if isWordPart(character) {
                word.append(character)
            } else {
                endWord()
                if !character.isWhitespace {
                    result.append(character)
                } else if result.last != " " {
                    result.append(" ")
                }
            }
        }
        endWord()
        return cut(result, to: limit)
    }

    private static func maskingValues(of json: String) -> String {
        var result = ""
        var rest = json[...]
        while let quote = rest.firstIndex(of: "\"") {
            result += rest[..<quote]
            rest = rest[rest.index(after: quote)...]
            var text = ""
            var isClosed = false
            while let character = rest.popFirst() {
                if character == "\\" {
                    _ = rest.popFirst()
                    text += "?"
                } else if character == "\"" {
                    isClosed = true
                    break
                } else {
                    text.append(character)
                }
            }
            let isKey = isClosed && rest.first { !$0.isWhitespace } == ":"
            result += isKey ? "\"\(masking(text, limit: 40))\"" : "\"…\""
        }
        result += masking(String(rest), limit: 200)
        return result
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.count <= limit ? trimmed : trimmed.prefix(limit - 1) + "…"
    }
}
