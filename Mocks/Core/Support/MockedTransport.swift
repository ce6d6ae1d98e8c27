import BrowseData
import BrowseDomain
import Foundation

/// A `URLSession` transport that passes requests to a handler.
///
/// It retains the registration, which `MockURLProtocol` needs to find the handler.
struct MockedTransport: ContainerTransport {
    private let registration: MockURLProtocol.Registration
    private let clock: (any Clock<Duration>)?
    private var transport: any HTTPTransport

    init(
        clock: (any Clock<Duration>)?,
        default defaultClock: any Clock<Duration>,
        handler: @escaping MockURLProtocol.Handler
    ) {
        registration = MockURLProtocol.Registration(handler)
        self.clock = clock
        transport = registration.transport(clock: clock ?? defaultClock)
    }

    func measured(by clock: any Clock<Duration>) -> any HTTPTransport {
        var mocked = self
        mocked.transport = registration.transport(clock: self.clock ?? clock)
        return mocked
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
