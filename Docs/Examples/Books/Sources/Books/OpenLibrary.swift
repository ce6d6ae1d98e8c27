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
        var details = try await client.send(.book(id))
        // A merged book has only the path of another one. It keeps its own id, so that it stays a favorite.
        for _ in 0..<3 {
            guard let replacement = details.replacement else { return details }
            details = try await client.send(.book(replacement, as: id))
        }
        guard details.replacement == nil else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "GET /works/{}.json"))
        }
        return details
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
    /// `GET /works/{id}.json`; the book has the id of another one that was merged into it.
    static func book(_ id: Book.ID, as other: Book.ID? = nil) -> Self {
        .json(.path("/works/\(id).json")) { (response: WorkDTO, _) in
            let (title, covers) = (response.title.value, response.covers.value)
            return BookDetails(
                // The number of a cover that was removed is -1.
                book: Book(id: other ?? id, title: title, cover: covers?.first { $0 > 0 }),
                published: response.published.value,
                subjects: response.subjects.value ?? [],
                replacement: response.location.value?.replacing("/works/", with: "")
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
    /// The path of the work that this one was merged into.
    let location: Lenient<String>

    private enum CodingKeys: String, CodingKey {
        case title, subjects, covers, location
        case published = "first_publish_date"
    }
}
