public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Answers the requests of a `URLSession` from a handler, so that all of the client but the network is under test.
///
/// Handlers are registered by key, and a request says in the field ``keyHeader`` whose it is; so any number of tests run
/// in parallel. A request whose key is unknown fails, and is never sent. BrowseMocks builds its scripted server on this;
/// use it by itself to answer with a function:
///
/// ```swift
/// let mock = MockURLProtocol.Registration { request in
///     .success(
///         HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: json, url: request.url)
///     )
/// }
/// let client = HTTPClient(service: service, transport: mock.transport())
/// ```
///
/// Redirects cannot be shown this way (on Linux, reporting one from a `URLProtocol` ends the process), but a response with
/// status 302 can: the transport follows redirects by itself.
public final class MockURLProtocol: URLProtocol {
    /// Answers one request; a `BrowseError` has no place here, since the transport makes it from the `URLError`.
    public typealias Handler = @Sendable (HTTPRequest) async -> Result<HTTPResponse, URLError>

    /// The field that names the handler of a request.
    public static let keyHeader: String = "X-BrowseKit-Mock"

    /// Where the requests of one session go.
    private struct Route: Sendable {
        let handler: Handler
        #if canImport(FoundationNetworking)
        let report: URLSessionTransport.Queue
        #endif
    }

    private static let routes = Mutex<[String: Route]>([:])

    /// A handler that answers as long as this value lives.
    public final class Registration: Sendable {
        private let handler: Handler
        let keys = Mutex<[String]>([])

        /// Registers a handler.
        public init(_ handler: @escaping Handler) {
            self.handler = handler
        }

        deinit {
            let keys = keys.withLock { $0 }
            MockURLProtocol.routes.withLock { routes in
                for key in keys { routes[key] = nil }
            }
        }

        /// A real ``URLSessionTransport`` whose every request comes to the handler. Keep the registration while it is used.
        public func transport(clock: any Clock<Duration> = ContinuousClock()) -> URLSessionTransport {
            transport(by: MockURLProtocol.self, clock: clock)
        }

        /// A transport of a class that hands its requests to a ``MockURLProtocol``.
        func transport(by loader: URLProtocol.Type, clock: any Clock<Duration>) -> URLSessionTransport {
            let key = UUID().uuidString
            let transport = URLSessionTransport(
                protocolClasses: [loader],
                extraHeaders: [MockURLProtocol.keyHeader: key],
                clock: clock
            )
            #if canImport(FoundationNetworking)
            let route = Route(handler: handler, report: transport.sessionQueue)
            #else
            let route = Route(handler: handler)
            #endif
            MockURLProtocol.routes.withLock { $0[key] = route }
            keys.withLock { $0.append(key) }
            return transport
        }
    }

    private let isStopped = Mutex(false)
    private let answering = Mutex<Task<Void, Never>?>(nil)

    /// Takes every request of a session that lists this class.
    public override class func canInit(with request: URLRequest) -> Bool { true }

    /// Changes nothing.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Asks the handler and reports its answer.
    public override func startLoading() {
        let key = request.value(forHTTPHeaderField: Self.keyHeader)
        let route = key.flatMap { key in Self.routes.withLock { $0[key] } }
        guard let route, let asked = HTTPRequest(request) else {
            let text = "No MockURLProtocol.Registration answers this request; keep it while its transport is used."
            let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: text])
            client?.urlProtocol(self, didFailWithError: error)
            return
        }
        #if canImport(FoundationNetworking)
        let report = route.report
        #else
        let report = Self.currentRunLoop()
        #endif
        // `URLProtocol` is not Sendable, and its task has to reach it. That is safe: what this class adds to it are two
        // mutexes, and the task does nothing but report, once. It reads `client`, which is set before this is called and never
        // after. The report runs where the session calls `stopLoading`, so none can follow that.
        nonisolated(unsafe) let loader = self
        let task = Task {
            let answer = await route.handler(asked)
            report {
                if !loader.isStopped.withLock({ $0 }) { loader.report(answer) }
            }
        }
        answering.withLock { $0 = task }
    }

    /// Cancels the handler.
    public override func stopLoading() {
        isStopped.withLock { $0 = true }
        answering.withLock { $0.take() }?.cancel()
    }

    #if !canImport(FoundationNetworking)
    /// The run loop of the thread on which the session starts and stops this protocol, and on which it expects its reports.
    private static func currentRunLoop() -> URLSessionTransport.Queue {
        // Run loops of Core Foundation may be used from any thread (Threading Programming Guide, "Run Loops").
        nonisolated(unsafe) let runLoop = CFRunLoopGetCurrent()
        return { body in
            CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, body)
            CFRunLoopWakeUp(runLoop)
        }
    }
    #endif

    private func report(_ answer: Result<HTTPResponse, URLError>) {
        switch answer {
        case .success(let response):
            guard
                let head = HTTPURLResponse(
                    url: response.url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: response.headers.fields
                )
            else {
                client?.urlProtocol(self, didFailWithError: URLError(.badServerResponse))
                return
            }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            // In one piece: on Linux `data(for:)` keeps only the last one.
            if !response.body.isEmpty { client?.urlProtocol(self, didLoad: response.body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }
}

extension HTTPRequest {
    /// What a handler sees: the request without the field that names the handler.
    fileprivate init?(_ request: URLRequest) {
        guard let url = request.url, let method = HTTPMethod(rawValue: request.httpMethod ?? "GET") else { return nil }
        self.init(method: method, url: url, body: request.httpBody ?? request.httpBodyStream?.readAll(), endpoint: "")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
        headers[MockURLProtocol.keyHeader] = nil
    }
}

extension InputStream {
    /// The rest of the stream; URLSession turns a request's body into one.
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
