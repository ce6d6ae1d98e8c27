import BrowseData
import BrowseDomain
import Foundation

/// A `URLSession` transport that passes requests to a handler.
///
/// It retains the registration, which `MockURLProtocol` needs to find the handler.
struct MockedTransport: HTTPTransport {
    private let registration: MockURLProtocol.Registration
    private let transport: any HTTPTransport

    init(clock: any Clock<Duration>, handler: @escaping MockURLProtocol.Handler) {
        registration = MockURLProtocol.Registration(handler)
        transport = registration.transport(clock: clock)
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        try await transport.send(request)
    }
}

extension URLError {
    /// Creates an error with a text, which transports put into `BrowseError.Unreachable.other`.
    init(_ code: Code, saying text: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
