import BrowseData
import BrowseDomain
import BrowseMocks

/// A transport that counts requests and responds by a closure.
final class StubTransport: HTTPTransport {
    struct State {
        var isHolding = false
        var now = 0
        var most = 0
        var requests: [HTTPClient.Request] = []
    }

    let state = Monitor(State())
    private let respond: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response

    init(_ respond: @escaping @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response) {
        self.respond = respond
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
            state.requests.append(request)
        }
        await state.wait { !$0.isHolding }
        defer { state.withLock { $0.now -= 1 } }
        return try await respond(request)
    }

    /// Holds responses back until ``release()``.
    func hold() { state.withLock { $0.isHolding = true } }
    func release() { state.withLock { $0.isHolding = false } }

    var requests: [HTTPClient.Request] { state.value.requests }
}
