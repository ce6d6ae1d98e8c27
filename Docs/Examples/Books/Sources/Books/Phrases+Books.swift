import BrowseCore

extension Phrase {
    static let booksTitle = Phrase("books.title", "Books", ko: "책")
    static let authors = Phrase("books.authors", "Authors", ko: "저자")
    static let published = Phrase("books.published", "Published", ko: "출간")
    static let description = Phrase("books.description", "Description", ko: "설명")
    static let subjects = Phrase("books.subjects", "Subjects", ko: "주제")
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
