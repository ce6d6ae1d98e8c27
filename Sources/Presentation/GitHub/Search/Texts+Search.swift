import BrowseDomain

extension Phrase {
    fileprivate static func searchTooLong(by excess: Int) -> Phrase {
        Phrase(
            "search.tooLong",
            plural: excess,
            one: "Remove 1 character. A search has at most 256.",
            "Remove \(excess) characters. A search has at most 256.",
            ko: "\(excess)자를 줄이십시오. 검색어는 256자까지입니다."
        )
    }
    fileprivate static let searchTooManyOperators = Phrase(
        "search.tooManyOperators",
        "Use at most five of AND, OR, and NOT.",
        ko: "AND, OR, NOT은 다섯 개까지 사용할 수 있습니다."
    )
    fileprivate static func firstResults(_ limit: Int, of count: Int) -> Phrase {
        Phrase("search.firstResults", "First \(limit) of \(count) results", ko: "결과 \(count)개 중 처음 \(limit)개")
    }
    fileprivate static func incompleteResults(_ summary: Phrase) -> Phrase {
        Phrase(
            "search.incomplete",
            "\(summary) (may be incomplete because GitHub ran out of time)",
            ko: "\(summary) (GitHub의 시간 초과로 일부가 빠졌을 수 있음)"
        )
    }
}

extension Texts {
    /// The number of results, and which of them can't be shown.
    func summary(of total: Int, isIncomplete: Bool) -> String {
        let limit = GitHub.searchResultLimit
        let count: Phrase = total > limit ? .firstResults(limit, of: total) : .resultCount(total)
        return self(isIncomplete ? .incompleteResults(count) : count)
    }

    /// The hint for text that GitHub can't search for; `nil` for blank text.
    func refusal(_ refusal: GitHub.SearchText.ValidationError) -> String? {
        switch refusal {
        case .blank: nil
        case .tooLong(let excess): self(.searchTooLong(by: excess))
        case .tooManyOperators: self(.searchTooManyOperators)
        }
    }
}
