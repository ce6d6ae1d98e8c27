@testable import BrowseData
import BrowseDomain
import Dispatch
import Foundation
import FuzzServer
import Synchronization

/// The bytes of a response, sent over a socket to the platform's default transport.
///
/// The first byte of the input has options (see ``RawExchange``); the rest is sent unchanged. The connection ends after that,
/// so no request may reach its time limit.
@Sendable func rawResponses(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let exchange = RawExchange(options: first, bytes: Array(input.dropFirst()))
    RawServer.shared.exchange.withLock { $0 = exchange }
    // A new transport, so that no input depends on an earlier one.
    let transport = RawTransport.make()
    if exchange.usesWarmConnection { _ = blockingResult(of: RawServer.shared.request("/warm"), over: transport) }
    var request = RawServer.shared.request("/raw", method: exchange.method)
    request.limits.bodyBytes = RawExchange.bodyLimit
    check(blockingResult(of: request, over: transport), of: exchange)
    let arrivals = RawServer.shared.arrivals.exchange(0, ordering: .relaxed)
    require(request.isSafeToRepeat || arrivals <= 1, "\(exchange.method.rawValue) is sent once, not \(arrivals) times")
    // The transport still works.
    let next = blockingResult(of: RawServer.good.request("/"), over: transport)
    require((try? next.get())?.status == 200, "the next request gets a response: \(next)")
}

private func check(_ result: Result<HTTPClient.Response, BrowseError>, of exchange: RawExchange) {
    switch result {
    case .success(let response):
        require((200..<1000).contains(response.status), "\(response.status) is the status of a final response")
        require(response.body.count <= RawExchange.bodyLimit, "\(response.body.count) bytes are within the limit")
        require(exchange.hasEmptyLine, "a head ends with an empty line")
        for (name, value) in response.headers.fields {
            require(!name.isEmpty && name == name.lowercased(), "\(name) is a name in lowercase")
            require(name.utf8.allSatisfy(HTTPHeaders.isTokenByte), "\(name) is a token")
            require(!value.utf8.contains { [0, 10, 13].contains($0) }, "\(name) has a single line")
        }
    case .failure(.unreachable), .failure(.refused), .failure(.unusableResponse):
        break
    case .failure(let error):
        require(false, "\(error) is a failure of a transport")
    }
}

/// An input of ``rawResponses(_:)``.
private struct RawExchange {
    static let bodyLimit = 64 << 10

    let bytes: [UInt8]
    /// Whether the connection ends with a reset.
    private let endsWithReset: Bool
    /// GET, or POST, which must not be sent twice.
    let method: HTTPMethod
    /// Whether another request used the connection before.
    let usesWarmConnection: Bool
    /// The maximum number of writes.
    private let pieces: Int

    /// - Parameter options: From the lowest bit: ends with a reset; is a POST; uses a connection again; writes, in two bits.
    init(options: UInt8, bytes: [UInt8]) {
        self.bytes = bytes
        endsWithReset = options & 1 != 0
        method = options & 2 != 0 ? .post : .get
        usesWarmConnection = options & 4 != 0
        pieces = 1 << Int(options >> 3 & 3)
    }

    /// Whether there is an empty line; libcurl 7.88 drops NULs that begin a line.
    var hasEmptyLine: Bool {
        let bytes = bytes.filter { $0 != 0 }
        return bytes.firstRange(of: Array("\n\r\n".utf8)) != nil || bytes.firstRange(of: Array("\n\n".utf8)) != nil
    }

    var response: LoopbackResponse {
        let size = max(1, (bytes.count + pieces - 1) / pieces)
        let writes = stride(from: 0, to: bytes.count, by: size).map { start in
            LoopbackResponse.Step.bytes(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        return LoopbackResponse(steps: writes + [endsWithReset ? .reset : .close])
    }
}

/// A server that runs as long as the process.
private final class RawServer: Sendable {
    static let shared = RawServer()
    /// A server with valid responses, over connections that no input can break.
    static let good = RawServer()

    let exchange = Mutex<RawExchange?>(nil)
    /// The number of requests for the input.
    let arrivals = Atomic(0)
    private let server: Mutex<LoopbackServer?> = Mutex(nil)

    private init() {
        let server = try? LoopbackServer(isRecording: false) { [unowned self] request in
            guard request.target == "/raw", let exchange = exchange.withLock(\.self) else {
                return LoopbackResponse(body: "ok")
            }
            arrivals.add(1, ordering: .relaxed)
            return exchange.response
        }
        self.server.withLock { $0 = server }
    }

    func request(_ path: String, method: HTTPMethod = .get) -> HTTPClient.Request {
        guard let origin = server.withLock({ $0?.origin }), let url = URL(string: origin + path) else {
            fatalError("There is no server")
        }
        var limits = HTTPLimits(duration: .seconds(9))
        // They could leave this machine.
        limits.redirects = 0
        return HTTPClient.Request(
            method: method,
            url: url,
            body: method == .post ? Data("{}".utf8) : nil,
            endpoint: "\(method.rawValue) \(path)",
            limits: limits
        )
    }
}

private enum RawTransport {
    static func make() -> any HTTPTransport {
        #if canImport(Glibc)
        CurlTransport()
        #else
        URLSessionTransport()
        #endif
    }
}

/// Blocks this thread, which doesn't belong to the concurrency pool.
private func blockingResult(
    of request: HTTPClient.Request,
    over transport: any HTTPTransport
) -> Result<HTTPClient.Response, BrowseError> {
    let ending = Ending()
    Task {
        let result = await outcome { () async throws(BrowseError) in try await transport.send(request) }
        ending.result.withLock { $0 = result }
        ending.semaphore.signal()
    }
    ending.semaphore.wait()
    return ending.result.withLock(\.self)
}

private final class Ending: Sendable {
    let result = Mutex<Result<HTTPClient.Response, BrowseError>>(.failure(.cancelled))
    let semaphore = DispatchSemaphore(value: 0)
}
