import BrowseGitHubDomain
@_spi(Services) import BrowsePresentation

// swift-format-ignore
extension Phrase {
    static let gitHub = Phrase("search.scope.gitHub", "GitHub", ko: "GitHub")
    static let scope = Phrase("search.scope", "Search In", ko: "검색 범위")
    static let bestMatch = Phrase("search.sort.bestMatch", "Best Match", ko: "정확도")
    static let stars = Phrase("search.sort.stars", "Stars", ko: "별표")
    static let forks = Phrase("search.sort.forks", "Forks", ko: "포크")
    static let updated = Phrase("search.sort.updated", "Recently Updated", ko: "최근 업데이트")
    static let order = Phrase("search.order", "Order", ko: "순서")
    static let descending = Phrase("search.order.descending", "Descending", ko: "내림차순")
    static let ascending = Phrase("search.order.ascending", "Ascending", ko: "오름차순")

    fileprivate static func firstResults(_ limit: Int, of count: Int) -> Phrase {
        Phrase("search.firstResults", "First \(limit) of \(count) results", ko: "결과 \(count)개 중 처음 \(limit)개")
    }
    fileprivate static func incompleteResults(_ summary: Phrase) -> Phrase {
        Phrase("search.incomplete", "\(summary) (some may be missing because the search took too long)",
            ko: "\(summary) (검색 시간이 초과되어 일부가 빠졌을 수 있음)")
    }
}

extension Texts {
    /// Returns the number of results, and the limit of those that GitHub returns.
    func summary(of total: Int, isIncomplete: Bool) -> String {
        let limit = GitHub.searchResultLimit
        let count: Phrase = total > limit ? .firstResults(limit, of: total) : .resultCount(total)
        return self(isIncomplete ? .incompleteResults(count) : count)
    }

    /// Returns typed text as a search; `nil` if it isn't one, with a hint unless it's blank.
    func searchText(_ typed: String, hint: inout String?) -> GitHub.SearchText? {
        do throws(GitHub.SearchText.ValidationError) {
            return try GitHub.SearchText(typed)
        } catch {
            if case .tooLong(let excess) = error { hint = self(.searchTooLong(by: excess)) }
            return nil
        }
    }
}
