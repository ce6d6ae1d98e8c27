import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation

/// Response bodies in the API's format.
enum RickAndMortyResponses {
    /// A character with only the required fields.
    static func character(id: some FixedWidthInteger, name: String? = nil) -> String {
        #"{"id":\#(id),"name":"\#(name ?? "character-\(id)")"}"#
    }

    /// An array of characters.
    static func characters(_ ids: some Sequence<some FixedWidthInteger>) -> String {
        "[" + ids.map { character(id: $0) }.joined(separator: ",") + "]"
    }

    /// Returns a page.
    ///
    /// - Parameter next: The value of `info.next`, as JSON.
    static func page(_ rows: String, next: String = "null") -> String {
        #"{"info":{"count":3,"pages":1,"next":\#(next),"prev":null},"results":\#(rows)}"#
    }

    /// Returns the body of an error.
    static func error(_ text: String) -> String { #"{"error":"\#(text)"}"# }
}

/// A loopback server with entities of one kind, in pages of 20, that records requests.
struct RickAndMortyServer {
    let server: LoopbackServer

    /// The base URL.
    var base: String { server.origin + "/api" }
    /// The path and query of each request, in order.
    var targets: [String] { server.requests.map(\.target) }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - kind: The part of the path, such as `character`.
    ///   - rows: The rows as JSON, by ID, in order.
    ///   - slash: The text between the kind and the query of `next`: empty or a slash.
    ///   - end: The JSON value of `next` on the last page.
    init(kind: String, rows: [(id: Int64, json: String)], slash: String = "", end: String = "null") throws {
        server = try LoopbackServer { request in
            let base = "http://\(request.header("Host") ?? "")/api/\(kind)"
            let parts = request.target.split(separator: "?", maxSplits: 1)
            let path = parts[0].hasSuffix("/") ? parts[0].dropLast() : parts[0]
            guard path != "/api/\(kind)" else {
                let query = parts.count > 1 ? String(parts[1]) : ""
                let number = query.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap {
                    Int($0.dropFirst(5))
                }
                let page = number ?? 1
                let pages = (rows.count + 19) / 20
                guard (1...max(1, pages)).contains(page) else {
                    return .json(RickAndMortyResponses.error("There is nothing here"), status: 404)
                }
                let next = page < pages ? "\"\(base)\(slash)?page=\(page + 1)\"" : end
                let part = rows[(20 * (page - 1))..<min(rows.count, 20 * page)].map(\.json)
                let info = "\"count\":\(rows.count),\"pages\":\(pages),\"next\":\(next),\"prev\":\(end)"
                return .json("{\"info\":{\(info)},\"results\":[\(part.joined(separator: ","))]}")
            }
            let ids = (path.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            // Ordered by ID like a database, whatever the requested order.
            let found = rows.filter { ids.contains($0.id) }.sorted { $0.id < $1.id }.map(\.json)
            guard ids.count == 1 else { return .json("[\(found.joined(separator: ","))]") }
            return found.first.map { .json($0) }
                ?? .json(RickAndMortyResponses.error("\(kind.capitalized) not found"), status: 404)
        }
    }

    /// Starts a server with characters.
    init(characters ids: some Sequence<Int64>, slash: String = "", end: String = "null") throws {
        try self.init(
            kind: "character",
            rows: ids.map { ($0, RickAndMortyResponses.character(id: $0)) },
            slash: slash,
            end: end
        )
    }
}

extension Page<RickAndMorty.Character> {
    /// The IDs of the rows.
    var ids: [Int64] { items.map(\.id.rawValue) }
}

extension [RickAndMorty.Character.ID] {
    /// Creates IDs from numbers.
    init(numbers: some Sequence<Int64>) {
        self = numbers.map(RickAndMorty.Character.ID.init(rawValue:))
    }
}
