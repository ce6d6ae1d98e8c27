import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

/// What happened, in order, written from any task.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var entries: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// The error that a call ends with, or `nil` when it succeeds.
func failure<Value>(_ call: () async throws(BrowseError) -> Value) async -> BrowseError? {
    do throws(BrowseError) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}

extension HTTPClient {
    static func gitHub(
        on transport: any HTTPTransport,
        middleware: [any HTTPMiddleware] = [],
        now: @escaping @Sendable () -> Date = { .now }
    ) throws -> HTTPClient {
        let baseURL = try #require(URL(string: "https://api.github.com"))
        let service = HTTPClient.Service.gitHub(baseURL: baseURL, userAgent: "MocksTests")
        return HTTPClient(
            service: service,
            transport: transport,
            middleware: middleware,
            options: .init { $0.now = now }
        )
    }
}

extension HTTPTransport {
    /// Sends a request to a path of a made-up host.
    func get(_ path: String, method: HTTPMethod = .get, body: String? = nil) async throws(BrowseError)
        -> HTTPClient.Response
    {
        guard let url = URL(string: "https://host.test" + path) else {
            throw .refused(.invalidParameter, BrowseError.RequestInfo(endpoint: path))
        }
        return try await send(
            HTTPClient.Request(method: method, url: url, body: body.map { Data($0.utf8) }, endpoint: "TEST")
        )
    }

    /// What a developer reads when a request to a path has no response; `nil` when it has one.
    func failure(_ path: String, method: HTTPMethod = .get) async -> String? {
        do throws(BrowseError) {
            _ = try await get(path, method: method)
            return nil
        } catch {
            guard case .unreachable(.other(_, let detail), _) = error else { return "\(error)" }
            return detail
        }
    }
}

extension HTTPTransport {
    /// The scripted server's report of an unexpected request, or the body of another response.
    func report(_ path: String, method: HTTPMethod = .get) async -> String {
        guard let response = try? await get(path, method: method) else { return "no response" }
        let fields = try? JSONDecoder().decode([String: String].self, from: response.body)
        return fields?["message"] ?? response.text
    }
}

extension HTTPClient.Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension OfflineGitHub {
    /// Asks without a client.
    func get(_ path: String, method: HTTPMethod = .get) async throws -> HTTPClient.Response {
        let url = try #require(URL(string: "https://host.test" + path))
        return try await respond(to: HTTPClient.Request(method: method, url: url, endpoint: "TEST")).get()
    }
}
