import BrowseData
import BrowseDomain
import Foundation

/// A real `URLSession` whose requests come to a handler.
///
/// `MockURLProtocol` forgets a handler when its registration goes away, so the transport carries the registration along.
struct MockedTransport: HTTPTransport {
    private let registration: MockURLProtocol.Registration
    private let transport: URLSessionTransport

    init(clock: any Clock<Duration>, handler: @escaping MockURLProtocol.Handler) {
        registration = MockURLProtocol.Registration(handler)
        transport = registration.transport(clock: clock)
    }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        try await transport.send(request)
    }
}

extension URLError {
    /// An error whose text reaches the developer: the transport takes it into `BrowseError.Unreachable.other`.
    init(_ code: Code, saying text: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
