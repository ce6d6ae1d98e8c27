import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.bounded)
struct `Reports of MockURLProtocol` {
    private final class Sendings: Sendable {
        let tasks = Mutex<[Int: Task<Bool?, Never>]>([:])
    }

    /// Thousands of requests that are canceled by their handler, or at any time, while responses arrive.
    @Test func `never arrive after the end of a request`() async throws {
        let sendings = Sendings()
        let mock = MockURLProtocol.Registration { request in
            let number = Int(request.url.lastPathComponent) ?? 0
            // Responds at a different point of each cancellation; any number of yields is valid.
            for _ in 0..<number % 40 { await Task.yield() }
            if number % 3 == 0 { sendings.tasks.withLock { $0[number] }?.cancel() }
            return .success(HTTPClient.Response(status: 200, body: Data("{}".utf8), url: request.url))
        }
        let transport = mock.transport(by: WatchedProtocol.self, clock: ContinuousClock())
        // A few at a time: each report lists the session's tasks, on a queue that all sessions of the process share.
        var outcomes: [Bool?] = []
        for start in stride(from: 0, to: 6000, by: 50) {
            outcomes += await withTaskGroup { group in
                for number in start..<start + 50 {
                    group.addTask { () -> Bool? in
                        guard let url = URL(string: "https://host.test/\(number)") else { return nil }
                        let request = HTTPClient.Request(url: url, endpoint: "GET /", limits: .unhurried)
                        let sending = Task { () -> Bool? in
                            do throws(BrowseError) {
                                _ = try await transport.send(request)
                                return true
                            } catch {
                                return error == .cancelled ? false : nil
                            }
                        }
                        sendings.tasks.withLock { $0[number] = sending }
                        if number % 3 == 1 {
                            // Cancels at a different point of each exchange; any number of yields is valid.
                            for _ in 0..<number % 60 { await Task.yield() }
                            sending.cancel()
                        }
                        return await sending.value
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        withExtendedLifetime(mock) {}
        // Both outcomes occur, and no other.
        #expect(outcomes.contains(true) && outcomes.contains(false) && !outcomes.contains(nil))
        #expect(WatchedProtocol.counts.reports.withLock { $0 } > 0)
        #expect(WatchedProtocol.counts.lateReports.withLock { $0 } == 0)
    }

    #if canImport(FoundationNetworking)
    /// The response is reported on the session's queue, on which the session stops the protocol first.
    @Test func `are dropped if the session stops the protocol first`() async throws {
        let mock = MockURLProtocol.Registration { request in
            .success(HTTPClient.Response(status: 200, url: request.url))
        }
        let transport = mock.transport(by: WatchedProtocol.self, clock: ContinuousClock())
        var request = URLRequest(url: try #require(URL(string: "https://host.test/")))
        request.setValue(mock.keys.withLock { $0.first }, forHTTPHeaderField: MockURLProtocol.keyHeader)
        let watch = Watch(nil, ReportCounts())
        for _ in 0..<200 {
            await withCheckedContinuation { continuation in
                transport.sessionQueue { [request] in
                    let mock = MockURLProtocol(request: request, cachedResponse: nil, client: watch)
                    mock.startLoading()
                    // All sessions share this queue, so waiting here for the response could block all tasks.
                    mock.stopLoading()
                    transport.sessionQueue { continuation.resume() }
                }
            }
        }
        await withCheckedContinuation { continuation in transport.sessionQueue { continuation.resume() } }
        #expect(watch.counts.reports.withLock { $0 } == 0)
    }
    #endif
}

private final class ReportCounts: Sendable {
    let reports = Mutex(0)
    let lateReports = Mutex(0)
}

/// A protocol that forwards to ``MockURLProtocol``, and counts reports that arrive too late.
private final class WatchedProtocol: URLProtocol {
    static let counts = ReportCounts()

    private var inner: MockURLProtocol?
    private var watch: Watch?

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let watch = Watch(self, Self.counts)
        let mock = MockURLProtocol(request: request, cachedResponse: nil, client: watch)
        (inner, self.watch) = (mock, watch)
        mock.startLoading()
    }

    override func stopLoading() {
        inner?.stopLoading()
        watch?.isStopped.withLock { $0 = true }
    }
}

/// The client of the inner protocol.
private final class Watch: NSObject, URLProtocolClient {
    let isStopped = Mutex(false)
    let counts: ReportCounts
    // Not Sendable, but used only on the session's queue.
    private nonisolated(unsafe) weak var outer: WatchedProtocol?

    init(_ outer: WatchedProtocol?, _ counts: ReportCounts) {
        self.outer = outer
        self.counts = counts
    }

    private func report(_ body: (URLProtocol, any URLProtocolClient) -> Void) {
        counts.reports.withLock { $0 += 1 }
        if isStopped.withLock({ $0 }) { counts.lateReports.withLock { $0 += 1 } }
        if let outer, let client = outer.client { body(outer, client) }
    }

    func urlProtocol(
        _ inner: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        report { $1.urlProtocol($0, didReceive: response, cacheStoragePolicy: policy) }
    }

    func urlProtocol(_ inner: URLProtocol, didLoad data: Data) {
        report { $1.urlProtocol($0, didLoad: data) }
    }

    func urlProtocolDidFinishLoading(_ inner: URLProtocol) {
        report { $1.urlProtocolDidFinishLoading($0) }
    }

    func urlProtocol(_ inner: URLProtocol, didFailWithError error: any Error) {
        report { $1.urlProtocol($0, didFailWithError: error) }
    }

    func urlProtocol(_ inner: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}

    func urlProtocol(_ inner: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}

    func urlProtocol(_ inner: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}

    func urlProtocol(_ inner: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
