import BrowseData
import BrowseCore
import Foundation

/// Books of openlibrary.org.
struct RemoteBookRepository: BookRepository {
    static let pageSize = 50
    let client: HTTPClient

    func books(matching text: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book> {
        let page = try PageCursor.page(at: cursor, of: "GET /search.json")
        return try await client.send(.books(matching: text, page: page))
    }

    func details(of book: Book) async throws(BrowseError) -> BookDetails {
        var book = book
        // A merged work links to its successor. Chains are short; the limit ends a cycle.
        for _ in 0..<5 {
            let details = try await client.send(.work(of: book))
            guard let successor = details.successor else { return details }
            book.id = successor
        }
        throw .notFound(BrowseError.RequestInfo(endpoint: "GET /works/{}.json"))
    }
}

extension Endpoint<Page<Book>> {
    /// `GET /search.json`, with pages numbered from 1.
    static func books(matching text: String, page: Int) -> Self {
        .json(
            .path("/search.json"),
            query: [
                QueryItem("q", text), QueryItem("page", String(page)),
                QueryItem("limit", String(RemoteBookRepository.pageSize)),
                QueryItem("fields", "key,title,author_name,first_publish_year,cover_i,edition_count"),
            ]
        ) { (response: SearchDTO, _) in
            let end = (response.start ?? 0) + response.docs.rows.count + response.docs.skipped.count
            let isLast = end >= response.total ?? 0 || response.docs.rows.isEmpty
            return Page(
                items: response.docs.rows.map(\.book),
                next: isLast ? nil : PageCursor(page: page + 1),
                skipped: response.docs.skipped,
                totalCount: response.total
            )
        }
    }
}

extension Endpoint<BookDetails> {
    /// `GET /works/{id}.json`.
    static func work(of book: Book) -> Self {
        .json(.path("/works/\(book.id.rawValue).json")) { (response: WorkDTO, _) in
            var book = book
            book.title = response.title ?? book.title
            return BookDetails(
                book: book,
                description: response.description?.value,
                subjects: response.subjects ?? [],
                // -1 stands for a cover that was removed.
                covers: (response.covers ?? []).filter { $0 > 0 }.map { Book.cover($0, size: "L") },
                successor: response.location.flatMap(Book.ID.init(rawValue:))
            )
        }
    }
}

private struct SearchDTO: Decodable, Sendable {
    let docs: LossyArray<BookDTO>
    @Lenient var start: Int?
    @Lenient var numFound: Int?
    @Lenient var olderNumFound: Int?

    var total: Int? { numFound ?? olderNumFound }

    private enum CodingKeys: String, CodingKey {
        case docs, start, numFound
        case olderNumFound = "num_found"
    }
}

private struct BookDTO: Decodable, Sendable {
    let key: Book.ID
    @Lenient var title: String?
    @Lenient var authors: [String]?
    @Lenient var year: Int?
    @Lenient var editions: Int?
    @Lenient var cover: Int?

    private enum CodingKeys: String, CodingKey {
        case key, title
        case authors = "author_name"
        case year = "first_publish_year"
        case editions = "edition_count"
        case cover = "cover_i"
    }

    var book: Book {
        let title = title ?? key.rawValue
        return Book(id: key, title: title, authors: authors ?? [], year: year, editions: editions, cover: cover)
    }
}

private struct WorkDTO: Decodable, Sendable {
    @Lenient var title: String?
    @Lenient var description: TextDTO?
    @Lenient var subjects: [String]?
    @Lenient var covers: [Int]?
    @Lenient var location: String?
}

/// A text, encoded as a string or as an object with a value.
private struct TextDTO: Decodable, Sendable {
    let value: String?

    init(from decoder: any Decoder) throws {
        let text = try? decoder.singleValueContainer().decode(String.self)
        value = try text ?? [String: String](from: decoder)["value"]
    }
}
