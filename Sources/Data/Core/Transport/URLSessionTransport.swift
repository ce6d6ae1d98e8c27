package import BrowseDomain
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport based on `URLSession`, for Apple platforms.
///
/// It stores no cookies, cache, or credentials. One instance serves any number of tasks and reuses
/// connections. After it is released, requests in flight complete and the session closes.
///
/// It uses a delegate, because `data(for:)` can't stop a body at its size limit.
///
/// On Linux with glibc, only tests use it: some responses crash or hang `URLSession` there, so
/// `CurlTransport` is the default.
package final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = ExchangeDelegate()
    private let timeLimits: TimeLimits

    package init(connectionsPerHost: Int = 8, clock: any Clock<Duration> = ContinuousClock()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost.clamped(to: .requestsInFlight)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        timeLimits = TimeLimits(clock: clock)
    }

    // Invalidating the session releases its delegate.
    deinit { session.finishTasksAndInvalidate() }

    package func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        var tasks: [URLSessionTask] = []
        defer { for task in tasks { task.cancel() } }
        return try await timeLimits.send(request) { hop, response in
            let task = session.dataTask(with: URLRequest(hop))
            tasks.append(task)
            delegate.add(Exchange(request: hop, response: response), for: task)
            task.resume()
        }
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPClient.Request) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.method.rawValue
        httpBody = request.sentBody
        httpShouldHandleCookies = false
        // Longer than the time limit, which the transport's clock measures. Linux truncates it to
        // seconds, and crashes on very large numbers.
        timeoutInterval = min(request.limits.duration / .seconds(1), 1_000_000).rounded(.up) + 1
        for (name, value) in request.headers.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
