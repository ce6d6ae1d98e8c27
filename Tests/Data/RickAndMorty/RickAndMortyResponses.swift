import BrowseDomain
import BrowseMocks
import Foundation

/// Bodies as the Rick and Morty API sends them, made of what a test is about.
enum RickAndMortyResponses {
    /// A character of which nothing is told that can be left out.
    static func character(id: some FixedWidthInteger, name: String? = nil) -> String {
        #"{"id":\#(id),"name":"\#(name ?? "character-\(id)")"}"#
    }

    /// An array of characters.
    static func characters(_ ids: some Sequence<some FixedWidthInteger>) -> String {
        "[" + ids.map { character(id: $0) }.joined(separator: ",") + "]"
    }

    /// A page whose rows are a JSON array.
    ///
    /// - Parameter next: The value of `info.next`, as JSON.
    static func page(_ rows: String, next: String = "null") -> String {
        #"{"info":{"count":3,"pages":1,"next":\#(next),"prev":null},"results":\#(rows)}"#
    }

    /// An error's body.
    static func error(_ text: String) -> String { #"{"error":"\#(text)"}"# }
}

/// The API over a set of rows of one kind, 20 a page, with several things by one request: a server that counts.
struct RickAndMortyServer {
    /// What is asked for.
    let server: LoopbackServer

    /// Where the API is.
    var base: String { server.origin + "/api" }
    /// Path and query of every request, in order.
    var targets: [String] { server.requests.map(\.target) }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - kind: The part of the path, such as `character`.
    ///   - rows: Every row by its number, as JSON, in order.
    ///   - slash: What stands between the kind and the query of `next`: nothing, or a slash.
    ///   - end: What `next` is on the last page, as JSON.
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
            let asked = (path.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            // In the order of the numbers, as a database answers, whatever was asked first.
            let found = rows.filter { asked.contains($0.id) }.sorted { $0.id < $1.id }.map(\.json)
            guard asked.count == 1 else { return .json("[\(found.joined(separator: ","))]") }
            return found.first.map { .json($0) }
                ?? .json(RickAndMortyResponses.error("\(kind.capitalized) not found"), status: 404)
        }
    }

    /// A server of characters with these numbers.
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
    /// The numbers of the rows.
    var ids: [Int64] { items.map(\.id.rawValue) }
}

extension [RickAndMorty.Character.ID] {
    /// Numbers as identities.
    init(numbers: some Sequence<Int64>) {
        self = numbers.map(RickAndMorty.Character.ID.init(rawValue:))
    }
}
