import Foundation
import NIOCore
import NIOHTTP1

/// A visitor: a cookie, and an open page with its event stream.
struct Visitor: Sendable {
    let cookie: String
    /// The id of the open page.
    let page: String
    /// Identifies what the page shows.
    let shown: String
    /// The path and the query of the page.
    let address: String

    /// Opens a page as a new visitor.
    static func arrive(at server: Address, path: String) async throws -> Visitor {
        try await HTTPConnection.open(to: server) { connection in
            let response = try await connection.get(path)
            guard response.status == 200 else { throw LoadError.unexpectedStatus(response.status, path) }
            let cookies = response.headers[canonicalForm: "set-cookie"].compactMap { $0.split(separator: ";").first }
            let html = String(buffer: response.body)
            guard let page = html.firstMatch(of: /data-page="([^"]+)" data-shown="([^"]+)"/) else {
                throw LoadError.missingMetric("data-page")
            }
            return Visitor(
                cookie: cookies.joined(separator: "; "),
                page: String(page.1),
                shown: String(page.2),
                address: path
            )
        }
    }

    /// Keeps the page's event stream open until the task is canceled.
    ///
    /// - Parameter onOpen: Called once, when the stream has begun.
    func stream(from server: Address, onOpen: @escaping @Sendable () -> Void) async throws {
        try await HTTPConnection.open(to: server) { connection in
            let address = address.replacing("?", with: "%3F").replacing("=", with: "%3D")
            let path = "/events?page=\(page)&shown=\(shown)&address=\(address)"
            let head = try await connection.open(path, cookie: cookie)
            guard head.status == .ok else { throw LoadError.unexpectedStatus(Int(head.status.code), path) }
            onOpen()
            while try await connection.nextChunk() != nil {}
        }
    }
}
