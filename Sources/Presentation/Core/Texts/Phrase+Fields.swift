// The fields and choices that several services have.
// swift-format-ignore
extension Phrase {
    /// The name of an entity, or a part of it.
    public static let name = Phrase("field.name", "Name", ko: "이름")
    /// The text to search for.
    public static let searchText = Phrase("field.text", "Search For", ko: "검색어")
    /// The hint for a submitted search without text.
    public static let blankSearch = Phrase("search.blank", "Enter text to search for.", ko: "검색어를 입력하십시오.")
    /// A part of the name, for a list that is filtered.
    public static let filter = Phrase("field.filter", "Filter", ko: "필터")
    /// The order of a list.
    public static let sort = Phrase("field.sort", "Sort By", ko: "정렬 기준")
    /// A choice that doesn't restrict a list.
    public static let any = Phrase("field.any", "Any", ko: "전체")
    /// The choice for several choices at once, which a program has set.
    static let several = Phrase("field.several", "Several", ko: "여러 개")
}
