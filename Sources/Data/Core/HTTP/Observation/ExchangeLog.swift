import BrowseDomain
public import Foundation
import Synchronization

/// A log of the most recent requests, exportable as an HTTP Archive (HAR).
///
/// It stores no bodies, and secrets are masked, so that an archive can be shared.
public final class ExchangeLog: SynchronousObserver {
    /// A request over the network, and its response or error.
    fileprivate struct Entry {
        let exchange: Int
        let endpoint: String
        let start: Date
        let request: HTTPEvent.Request
        var end: Date?
        var response: HTTPEvent.Response?
        var failure: BrowseError?
    }

    private let limit: Int
    private let entries = Mutex<[Entry]>([])

    /// Creates a log.
    ///
    /// - Parameter limit: The maximum number of requests, at least 1.
    public init(limit: Int = 500) {
        self.limit = max(1, limit)
    }

    /// The number of logged requests.
    public var count: Int { entries.withLock { $0.count } }

    /// Logs requests and responses that go over the network.
    public func observe(_ event: HTTPEvent) {
        entries.withLock { entries in
            switch event.kind {
            case .sent(let request):
                // Few requests are in flight, so the oldest has ended or never will.
                if entries.count == limit { entries.removeFirst() }
                entries.append(
                    Entry(exchange: event.exchange, endpoint: event.endpoint, start: event.date, request: request)
                )
            case .received(let response):
                end(event, in: &entries) { $0.response = response }
            case .failed(let error):
                end(event, in: &entries) { $0.failure = error }
            case .began, .joined, .cache, .waiting, .retrying, .ended:
                break
            }
        }
    }

    private func end(_ event: HTTPEvent, in entries: inout [Entry], _ change: (inout Entry) -> Void) {
        // An exchange has at most one request in flight.
        guard let index = entries.lastIndex(where: { $0.exchange == event.exchange && $0.end == nil }) else { return }
        entries[index].end = event.date
        change(&entries[index])
    }

    /// Returns the completed requests as an HTTP Archive 1.2 in JSON.
    ///
    /// Source: the "HAR 1.2 Spec" of J. Odvarko (softwareishard.com/blog/har-12-spec).
    public func archive() -> Data {
        let ended = entries.withLock { $0.filter { $0.end != nil } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let log = HTTPArchive.Log(entries: ended.map(HTTPArchive.Entry.init))
        // Encoding strings and finite numbers doesn't fail.
        return (try? encoder.encode(HTTPArchive(log: log))) ?? Data()
    }
}

extension HTTPArchive.Entry {
    fileprivate init(_ entry: ExchangeLog.Entry) {
        let milliseconds = max(0, (entry.end ?? entry.start).timeIntervalSince(entry.start) * 1000)
        startedDateTime = entry.start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        time = milliseconds
        request = HTTPArchive.Request(entry.request, httpVersion: entry.response?.version ?? "")
        response = HTTPArchive.Response(entry.response)
        timings = ["send": 0, "wait": milliseconds, "receive": 0]
        comment = entry.failure.map { "\(entry.endpoint): \($0)" } ?? entry.endpoint
    }
}

/// The written parts of an HTTP Archive; for unknown values, the format requires -1 or an empty value.
private struct HTTPArchive: Encodable {
    struct Log: Encodable {
        let version = "1.2"
        let creator = ["name": "BrowseKit", "version": "1"]
        let entries: [Entry]
    }

    struct Entry: Encodable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let cache: [String: String] = [:]
        let timings: [String: Double]
        let comment: String
    }

    struct Pair: Encodable {
        let name: String
        let value: String
    }

    struct Request: Encodable {
        let method: String
        let url: String
        let httpVersion: String
        let cookies: [Pair] = []
        let headers: [Pair]
        let queryString: [Pair]
        let headersSize = -1
        let bodySize: Int

        init(_ request: HTTPEvent.Request, httpVersion: String) {
            self.httpVersion = httpVersion
            method = request.method
            url = request.url
            headers = request.headers.pairs
            queryString =
                (URLComponents(string: request.url)?.queryItems ?? [])
                .map { Pair(name: $0.name, value: $0.value ?? "") }
            bodySize = request.bodyBytes
        }
    }

    struct Response: Encodable {
        let status: Int
        /// Empty, since newer versions of HTTP have no status text.
        let statusText = ""
        let httpVersion: String
        let cookies: [Pair] = []
        let headers: [Pair]
        let content: Content
        let redirectURL: String
        let headersSize = -1
        let bodySize: Int

        /// Creates a response; as in browsers, a missing one has status 0.
        init(_ response: HTTPEvent.Response?) {
            status = response?.status ?? 0
            httpVersion = response?.version ?? ""
            headers = response?.headers.pairs ?? []
            content = Content(size: response?.bodyBytes ?? 0, mimeType: response?.headers["Content-Type"] ?? "")
            redirectURL = response?.headers["Location"] ?? ""
            bodySize = response?.wireBytes ?? -1
        }
    }

    struct Content: Encodable {
        let size: Int
        let mimeType: String
    }

    let log: Log
}

extension HTTPHeaders {
    fileprivate var pairs: [HTTPArchive.Pair] {
        fields.sorted { $0.key < $1.key }.map { HTTPArchive.Pair(name: $0.key, value: $0.value) }
    }
}
