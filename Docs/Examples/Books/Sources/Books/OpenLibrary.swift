import BrowseCore
import BrowseData

/// Books of openlibrary.org.
nonisolated struct RemoteBookRepository: BookRepository {
    let client: HTTPClient

    func books(matching text: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book> {
        let page = try PageCursor.page(at: cursor, of: "GET /search.json")
        return try await client.send(.books(matching: text, page: page))
    }

    func books(about subject: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book> {
        // A quotation mark would end the phrase, and the search would fail.
        let phrase = String(subject.map { "\"\\".contains($0) ? " " : $0 })
        return try await books(matching: "subject:\"\(phrase)\"", at: cursor)
    }

    func details(of id: Book.ID) async throws(BrowseError) -> BookDetails {
        try await client.send(.book(id))
    }
}

nonisolated extension Endpoint<Page<Book>> {
    /// `GET /search.json`, with pages numbered from 1.
    static func books(matching text: String, page: Int) -> Self {
        .json(
            .path("/search.json"),
            query: [QueryItem("q", text), QueryItem("page", String(page)), QueryItem("fields", "key,title,cover_i")]
        ) { (response: SearchDTO, _) in
            // Any numbers, without overflow.
            let left = max(0, response.numFound) - response.docs.rows.count - response.docs.skipped.count
            return Page(
                items: response.docs.rows.map(\.book),
                next: response.start < left ? PageCursor(page: page + 1) : nil,
                skipped: response.docs.skipped,
                totalCount: response.numFound
            )
        }
    }
}

nonisolated extension Endpoint<BookDetails> {
    /// `GET /works/{id}.json`.
    static func book(_ id: Book.ID) -> Self {
        .json(.path("/works/\(id).json")) { (response: WorkDTO, _) in
            BookDetails(
                // The number of a cover that was removed is -1.
                book: Book(id: id, title: response.title.value, cover: response.covers.value?.first { $0 > 0 }),
                published: response.published.value,
                subjects: response.subjects.value ?? []
            )
        }
    }
}

nonisolated extension Book {
    fileprivate init(id: String, title: String?, cover: Int?) {
        let cover = cover.map { "https://covers.openlibrary.org/b/id/\($0)-M.jpg?default=false" }
        self.init(id: id, title: title ?? id, cover: cover.map(WebAddress.init(rawValue:)))
    }
}

private nonisolated struct SearchDTO: Decodable, Sendable {
    let docs: LossyArray<BookDTO>
    let start: Int
    let numFound: Int
}

private nonisolated struct BookDTO: Decodable, Sendable {
    let key: String
    let title: Lenient<String>
    let cover: Lenient<Int>

    private enum CodingKeys: String, CodingKey {
        case key, title
        case cover = "cover_i"
    }

    var book: Book { Book(id: key.replacing("/works/", with: ""), title: title.value, cover: cover.value) }
}

private nonisolated struct WorkDTO: Decodable, Sendable {
    let title: Lenient<String>
    let published: Lenient<String>
    let subjects: Lenient<[String]>
    let covers: Lenient<[Int]>

    private enum CodingKeys: String, CodingKey {
        case title, subjects, covers
        case published = "first_publish_date"
    }
}
