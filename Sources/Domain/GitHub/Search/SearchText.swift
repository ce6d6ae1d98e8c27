@_spi(Services) public import BrowseDomain

extension GitHub {
    /// A text to search for, validated against GitHub's limits.
    ///
    /// It's a `TypedText` with straight quotes, since GitHub doesn't accept others around a phrase. Source of the limits:
    /// "Limitations on query length" in GitHub's "REST API endpoints for search".
    public struct SearchText: Hashable, Sendable, CustomStringConvertible {
        /// The maximum number of characters, without qualifiers and operators: 256.
        package static let maximumLength: Int = 256
        /// The maximum number of operators (`AND`, `OR`, `NOT`): 5.
        package static let maximumOperatorCount: Int = 5

        /// The text to send.
        public let text: String

        /// Validates typed text.
        ///
        /// - Throws: The first ``ValidationError`` that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = TypedText(typed).withStraightQuotes.text
            guard !text.isEmpty else { throw .blank }
            let words = Self.words(of: text)
            // GitHub doesn't define a character; Unicode scalars are the strictest count that suits every script. A word that
            // doesn't count is subtracted with one space.
            let length = words.filter { Self.isQualifier($0) || Self.isOperator($0) }
                .reduce(text.unicodeScalars.count) { $0 - $1.unicodeScalars.count - 1 }
            guard length <= Self.maximumLength else { throw .tooLong(by: length - Self.maximumLength) }
            guard words.count(where: Self.isOperator) <= Self.maximumOperatorCount else { throw .tooManyOperators }
            self.text = text
        }

        /// The text to send.
        public var description: String { text }

        /// Splits the text at white space outside quotes.
        package static func words(of text: String) -> [Substring] {
            var isInQuotes = false
            return text.split { character in
                if character == "\"" { isInQuotes.toggle() }
                return character.isWhitespace && !isInQuotes
            }
        }

        /// Whether the word is `name:value` or `-name:value`, but not the beginning of a web address.
        private static func isQualifier(_ word: Substring) -> Bool {
            let word = word.hasPrefix("-") ? word.dropFirst() : word
            guard let colon = word.firstIndex(of: ":"), colon != word.startIndex else { return false }
            let value = word[colon...].dropFirst()
            guard !value.isEmpty, !value.hasPrefix("//") else { return false }
            return word[..<colon].utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
        }

        private static func isOperator(_ word: Substring) -> Bool {
            word == "AND" || word == "OR" || word == "NOT"
        }
    }
}

extension GitHub.SearchText {
    /// The reason why a string can't be searched for.
    public enum ValidationError: Error, Hashable, Sendable {
        /// The text is blank, so there is nothing to search for.
        case blank
        /// The number of characters above the 256 that GitHub accepts, without qualifiers and operators.
        case tooLong(by: Int)
        /// The text has more than 5 operators (`AND`, `OR`, `NOT`).
        case tooManyOperators
    }
}

extension GitHub {
    /// The maximum number of results that GitHub returns for a search: 1,000.
    ///
    /// Source: GitHub's "REST API endpoints for search".
    package static let searchResultLimit: Int = 1000

    /// One page of search results.
    public struct SearchPage<Element: Sendable>: Sendable {
        /// The page of results; its total number includes results beyond GitHub's limit.
        public private(set) var page: Page<Element>
        /// Whether GitHub's search timed out and may have missed results.
        public var isIncomplete: Bool
        /// The page size (`per_page`), which counts toward GitHub's limit even if fewer results arrived.
        public var pageSize: Int

        /// Creates a page.
        ///
        /// A missing or too small page size is replaced by the number of rows.
        public init(page: Page<Element>, totalCount: Int, isIncomplete: Bool = false, pageSize: Int? = nil) {
            self.page = Page(items: page.items, next: page.next, skipped: page.skipped, totalCount: totalCount)
            self.page.isPartial = page.isPartial
            self.isIncomplete = isIncomplete
            self.pageSize = max(pageSize ?? 0, page.items.count + page.skipped.count)
        }

        /// The total number of results, including those beyond GitHub's limit.
        public var totalCount: Int { page.totalCount ?? 0 }
    }
}

extension GitHub.SearchPage: Equatable where Element: Equatable {}

/// The position in a search.
///
/// GitHub rejects (422) pages that start after `GitHub.searchResultLimit`, even if it links to them. It counts `page ×
/// per_page`, so an incomplete page counts as a full one. A search's cursors contain that count.
struct SearchProgress {
    /// The repository's own cursor.
    let cursor: PageCursor?
    private let countBefore: Int

    /// Parses a cursor from ``page(_:)``; `nil` is the beginning.
    ///
    /// Other cursors are passed to the repository unchanged.
    init(_ cursor: PageCursor?) {
        // Scalars, because the repository's text may begin with a mark that combines with the space.
        let text = (cursor?.rawValue ?? "").unicodeScalars
        guard let space = text.firstIndex(of: " "), let count = Int(String(text[..<space])),
            (0..<GitHub.searchResultLimit).contains(count)
        else {
            self.cursor = cursor
            countBefore = 0
            return
        }
        self.cursor = PageCursor(rawValue: String(text[space...].dropFirst()))
        countBefore = count
    }

    /// Returns a page with a cursor that includes the count; at the limit, it has no cursor.
    func page<Element>(_ found: GitHub.SearchPage<Element>) -> GitHub.SearchPage<Element> {
        let count = countBefore + found.pageSize
        var next: PageCursor?
        if let cursor = found.page.next, count < GitHub.searchResultLimit {
            next = PageCursor(rawValue: "\(count) \(cursor.rawValue)")
        }
        var page = Page(items: found.page.items, next: next, skipped: found.page.skipped)
        page.isPartial = found.page.isPartial
        return GitHub.SearchPage(
            page: page,
            totalCount: found.totalCount,
            isIncomplete: found.isIncomplete,
            pageSize: found.pageSize
        )
    }
}
