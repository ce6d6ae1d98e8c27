public import BrowseData
import BrowseDomain
public import Foundation
package import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Responds to the requests of an app's own `URLSession` with a handler, for tests.
///
/// A handler is registered under a key, which requests contain in a header field, so tests can run
/// in parallel. A request with an unknown key fails and is never sent. ``ScriptedServer`` uses it;
/// to respond with a function, use it directly:
///
/// ```swift
/// let mock = MockURLProtocol.Registration { request in
///     .success(HTTPClient.Response(status: 200, body: json, url: request.url))
/// }
/// let client = HTTPClient(service: service, transport: mock.transport())
/// let session = URLSession(configuration: mock.sessionConfiguration())
/// ```
///
/// Report redirects as responses with status 302, which a transport follows; on Linux, reporting a
/// redirect from a `URLProtocol` crashes the process.
public final class MockURLProtocol: URLProtocol {
    /// Responds to a request, or fails with a `URLError`, which the transport converts to a
    /// `BrowseError`.
    public typealias Handler = @Sendable (HTTPClient.Request) async -> Result<HTTPClient.Response, URLError>

    /// The header field with the key of a request's handler.
    package static let keyHeader: String = "X-BrowseKit-Mock"

    private struct Route: Sendable {
        let handler: Handler
        let reportUnsupported: @Sendable (String) -> Void
    }

    private static let routes = Mutex<[String: Route]>([:])
    /// A registered handler, which responds until this object is released.
    public final class Registration: Sendable {
        private let handler: Handler
        private let reportUnsupported: @Sendable (String) -> Void
        package let keys = Mutex<[String]>([])

        /// Registers a handler.
        ///
        /// The response to a method that isn't an `HTTPMethod` is status 501 with a report as its
        /// JSON `message`, which is also an issue of a test with the trait `.verifiesMocks`.
        public convenience init(_ handler: @escaping Handler) {
            let scope = TestScope.current
            self.init(handler) { TestScope.reportUnanswered(HTTPMethod.unsupported($0), in: scope) }
        }

        /// Registers a handler, and a receiver of reports on requests with unsupported methods.
        init(_ handler: @escaping Handler, reportUnsupported: @escaping @Sendable (String) -> Void) {
            self.handler = handler
            self.reportUnsupported = reportUnsupported
        }

        deinit {
            let keys = keys.withLock { $0 }
            MockURLProtocol.routes.withLock { routes in
                for key in keys { routes[key] = nil }
            }
        }

        /// Creates a transport that answers with the handler in this process, without a
        /// `URLSession`.
        public func transport(clock: any Clock<Duration> = ContinuousClock()) -> any HTTPTransport {
            InProcessTransport(clock: clock, handler: handler)
        }

        /// Returns a configuration for sessions of an app's own, whose requests go to the handler.
        ///
        /// ```swift
        /// let session = URLSession(configuration: mock.sessionConfiguration())
        /// ```
        ///
        /// The handler receives requests to all hosts. Nothing is sent or cached. A header field of
        /// the configuration identifies this registration, so tests run in parallel. On Linux, a
        /// `URLProtocol` doesn't receive the fields of a session, so add `httpAdditionalHeaders` of
        /// the configuration to each request there.
        ///
        /// Retain the registration as long as you use the sessions.
        ///
        /// - Parameter base: The configuration to copy; set its header fields before. One
        ///   for background sessions, which ignore `URLProtocol`, becomes an ephemeral one with its
        ///   header fields.
        public func sessionConfiguration(_ base: URLSessionConfiguration = .ephemeral) -> URLSessionConfiguration {
            // A background session would ignore the protocol, and send the requests.
            let copy = base.identifier == nil ? base.copy() as? URLSessionConfiguration : nil
            let configuration = copy ?? .ephemeral
            let key = UUID().uuidString
            configuration.protocolClasses = [MockURLProtocol.self]
            configuration.urlCache = nil
            configuration.httpAdditionalHeaders = (base.httpAdditionalHeaders ?? [:])
                .merging([MockURLProtocol.keyHeader: key]) { $1 }
            let route = Route(handler: handler, reportUnsupported: reportUnsupported)
            MockURLProtocol.routes.withLock { $0[key] = route }
            keys.withLock { $0.append(key) }
            return configuration
        }
    }

    private let isStopped = Mutex(false)
    private let handling = Mutex<Task<Void, Never>?>(nil)

    /// Accepts every request of a session that lists this class.
    public override static func canInit(with request: URLRequest) -> Bool { true }

    /// Returns the request unchanged.
    public override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Calls the handler and reports its response.
    public override func startLoading() {
        let key = request.value(forHTTPHeaderField: Self.keyHeader)
        let route = key.flatMap { key in Self.routes.withLock { $0[key] } }
        guard let route else {
            let text = """
                No MockURLProtocol.Registration answers this request; keep it while its transport is used. On Linux, add the \
                fields of the session's configuration to the request.
                """
            // An app may show only that the connection failed.
            TestScope.write("\(request.url?.absoluteString ?? ""): \(text)")
            return self.report(.failure(URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: text])))
        }
        guard let handled = HTTPClient.Request(request) else {
            return refuse(reporting: route.reportUnsupported)
        }
        #if canImport(FoundationNetworking)
        let report = SessionQueue.run
        #else
        let report = Self.currentRunLoop()
        #endif
        // `URLProtocol` isn't Sendable, but the task can use it safely: this class adds only two
        // mutexes, and the task reports just once, which reads only `client`, unchanged after this
        // call. The report runs where the session calls `stopLoading`, so none follows that call.
        nonisolated(unsafe) let loader = self
        let task = Task {
            let result = await route.handler(handled)
            report {
                if !loader.isStopped.withLock({ $0 }) { loader.report(result) }
            }
        }
        handling.withLock { $0 = task }
    }

    /// Responds to a method that an `HTTPClient.Request` can't have.
    private func refuse(reporting report: (String) -> Void) {
        guard let url = request.url, let method = request.httpMethod else {
            return self.report(.failure(URLError(.badURL)))
        }
        let name = "\(method) \(url.absoluteString)"
        report(name)
        let body = (try? JSONEncoder().encode(["message": HTTPMethod.unsupported(name)])) ?? Data()
        let headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
        self.report(.success(HTTPClient.Response(status: 501, headers: headers, body: body, url: url)))
    }

    /// Cancels the handler.
    public override func stopLoading() {
        isStopped.withLock { $0 = true }
        handling.withLock { $0.take() }?.cancel()
    }

    #if !canImport(FoundationNetworking)
    /// Returns the run loop on which the session starts and stops this protocol, and expects its
    /// reports.
    private static func currentRunLoop() -> @Sendable (@escaping @Sendable () -> Void) -> Void {
        // Core Foundation's run loops are thread-safe (Threading Programming Guide, "Run Loops").
        nonisolated(unsafe) let runLoop = CFRunLoopGetCurrent()
        return { body in
            CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, body)
            CFRunLoopWakeUp(runLoop)
        }
    }
    #endif

    private func report(_ result: Result<HTTPClient.Response, URLError>) {
        switch result {
        case .success(let response):
            guard
                let head = HTTPURLResponse(
                    url: response.url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: response.headers.fields
                )
            else { return report(.failure(URLError(.badServerResponse))) }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            // In one part: on Linux, `data(for:)` returns only the last one.
            if !response.body.isEmpty { client?.urlProtocol(self, didLoad: response.body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }
}

#if canImport(FoundationNetworking)
/// The queue on which a `URLProtocol` can report to sessions, and on which they stop it.
///
/// It guards the task table that all sessions share: a report from another queue reads the table
/// while it changes, and crashes. No public API names the queue, but `getAllTasks` calls back on it
/// if the delegate queue runs in place.
private enum SessionQueue {
    /// Runs operations in place on the thread that adds them.
    ///
    /// `@unchecked Sendable` restates the superclass's conformance; it has no state.
    private final class InPlaceOperationQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }

        override func addOperation(_ operation: Operation) { operation.start() }
    }

    private static let session = URLSession(
        configuration: .ephemeral,
        delegate: nil,
        delegateQueue: InPlaceOperationQueue()
    )

    static func run(_ body: @escaping @Sendable () -> Void) {
        session.getAllTasks { _ in body() }
    }
}
#endif

extension HTTPMethod {
    /// The methods in a sentence, for reports of others.
    static let supported = "The supported methods are GET, POST, PUT, PATCH, and DELETE."

    /// The report of a request with another method.
    static func unsupported(_ request: String) -> String { "Unexpected request: \(request)\n\(supported)" }
}

extension HTTPClient.Request {
    /// Creates the request that a handler receives, without the field with its key.
    fileprivate init?(_ request: URLRequest) {
        guard let url = request.url, let method = HTTPMethod(rawValue: request.httpMethod ?? "GET") else { return nil }
        self.init(method: method, url: url, body: request.httpBody ?? request.httpBodyStream?.readAll(), endpoint: "")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
        headers[MockURLProtocol.keyHeader] = nil
    }
}

extension InputStream {
    /// Reads the rest of the stream; URLSession passes a request's body as one.
    fileprivate func readAll() -> Data {
        open()
        defer { close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}

extension MockURLProtocol.Registration {
    /// Creates a registration that answers with a transport, for an app's own sessions.
    ///
    /// For example, replay a recording, or record what a session sends:
    ///
    /// ```swift
    /// let mock = MockURLProtocol.Registration(ReplayingTransport(recording))
    /// let session = URLSession(configuration: mock.sessionConfiguration())
    /// ```
    public convenience init(_ transport: any HTTPTransport) {
        self.init { request in
            var request = request
            request.endpoint = "\(request.method.rawValue) \(request.url.path())"
            do throws(BrowseError) { return .success(try await transport.send(request)) } catch {
                return .failure(URLError(error))
            }
        }
    }
}

extension URLError {
    /// The error that a session would report.
    fileprivate init(_ error: BrowseError) {
        let code: Code =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .unreachable(.offline, _): .notConnectedToInternet
            case .unreachable(.hostNotFound, _): .cannotFindHost
            case .unreachable(.connectionRefused, _): .cannotConnectToHost
            case .unreachable(.connectionLost, _): .networkConnectionLost
            case .unreachable(.notSecure, _): .secureConnectionFailed
            case .unreachable(.notCached, _), .unreachable(.intercepted, _), .unreachable(.moved, _):
                .resourceUnavailable
            case .unreachable(.other(let code, _), _): .numbered(code)
            default: .badServerResponse
            }
        self.init(code, saying: "\(error)")
    }
}
