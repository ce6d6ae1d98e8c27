// The fields, choices, and values that several services have.
// swift-format-ignore
extension Phrase {
    /// The name of an entity, or a part of it.
    public static let name = Phrase("field.name", "Name", ko: "이름")
    /// The text to search for.
    public static let searchText = Phrase("field.text", "Search For", ko: "검색어")
    /// The hint for a submitted search without text.
    package static let blankSearch = Phrase("search.blank", "Enter text to search for.", ko: "검색어를 입력하십시오.")
    /// A part of the name, for a list that is filtered.
    public static let filter = Phrase("field.filter", "Filter", ko: "필터")
    /// The order of a list.
    public static let sort = Phrase("field.sort", "Sort By", ko: "정렬 기준")
    /// A choice that doesn't restrict a list.
    public static let any = Phrase("field.any", "Any", ko: "전체")

    /// The hint for a search with more characters than its service accepts.
    @_spi(Services) public static func searchTooLong(by excess: Int, limit: Int = 256) -> Phrase {
        Phrase("search.tooLong", plural: excess, one: "Remove \(excess) character. A search has at most \(limit).",
            "Remove \(excess) characters. A search has at most \(limit).",
            ko: "\(excess)자를 줄이십시오. 검색어는 \(limit)자까지입니다.")
    }
    /// Nothing to show yet.
    public static let nothing = Phrase("list.empty", "There’s nothing to show yet.", ko: "아직 표시할 항목이 없습니다.")
    /// A number of results.
    public static func resultCount(_ count: Int) -> Phrase {
        Phrase("search.results", plural: count, one: "\(count) result", "\(count) results", ko: "결과 \(count)개")
    }
    /// A number, in the format of the locale.
    public static func count(_ count: Int) -> Phrase { Phrase("value.count", "\(count)", ko: "\(count)") }
    /// The value of a field that is empty.
    public static let noValue = Phrase("value.none", "None", ko: "없음")
    /// The value of a field that isn't known.
    public static let unknown = Phrase("value.unknown", "Unknown", ko: "알 수 없음")
    /// A character in a sentence; an invisible one is named.
    public static func character(_ character: Character) -> Phrase {
        if character == " " { return Phrase("character.space", "spaces", ko: "공백") }
        let text = character.visible
        return text == String(character)
            ? Phrase("character", "“\(text)”", ko: "‘\(text)’")
            : Phrase("character.invisible", "the invisible character \(text)", ko: "보이지 않는 \(text)")
    }
}

// The words around content that every front end needs.
// swift-format-ignore
extension Phrase {
    /// The text beside a spinner.
    public static let loading = Phrase("action.loading", "Loading…", ko: "불러오는 중…")
    /// The button below a list that loads the next page.
    public static let more = Phrase("action.more", "Show More", ko: "더 보기")
    /// The button that loads a screen again.
    public static let refresh = Phrase("action.refresh", "Refresh", ko: "새로 고침")
    /// The button that loads again what failed.
    public static let retry = Phrase("action.retry", "Try Again", ko: "다시 시도")
    /// The title of a search.
    public static let search = Phrase("action.search", "Search", ko: "검색")
    /// The button that ends an action without effect.
    public static let cancel = Phrase("action.cancel", "Cancel", ko: "취소")
    /// The button that closes a screen or removes a notice.
    public static let close = Phrase("action.close", "Close", ko: "닫기")
    /// The button that opens the sign-in.
    public static let signIn = Phrase("action.signIn", "Sign In", ko: "로그인")
    /// The button that signs out.
    public static let signOut = Phrase("account.signOut", "Sign Out", ko: "로그아웃")
    /// The button that adds a favorite.
    public static let addFavorite = Phrase("favorite.add", "Add to Favorites", ko: "즐겨찾기에 추가")
    /// The button that removes a favorite.
    public static let removeFavorite = Phrase("favorite.remove", "Remove from Favorites", ko: "즐겨찾기에서 제거")
}
