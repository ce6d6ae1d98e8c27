import BrowseCore

extension Phrase {
    static let booksTitle = Phrase("books.title", "Books", ko: "책")
    static let noBookText = Phrase("books.noText", "Enter part of a title or an author.", ko: "제목이나 저자의 일부를 입력하십시오.")
    static let authorUnknown = Phrase("books.noAuthor", "Unknown author", ko: "저자 미상")
    static let noDescription = Phrase("books.noDescription", "No description", ko: "설명 없음")
    static let openLibrary = Phrase("books.service", "Open Library", ko: "Open Library")

    static func editions(_ count: Int) -> Phrase {
        Phrase("books.editions", plural: count, one: "1 edition", "\(count) editions", ko: "판본 \(count)개")
    }
}

extension Texts.Service {
    /// The texts about Open Library.
    public static let openLibrary = Texts.Service(name: .openLibrary)
}
