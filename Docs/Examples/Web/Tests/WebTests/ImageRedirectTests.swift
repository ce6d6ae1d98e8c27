import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import Testing

@testable import WebApp

@Suite("Images of other servers", .timeLimit(.minutes(10)))
struct ImageRedirectTests {
    @Test("Images follow no redirects, which could lead into the server's own network")
    func redirect() async throws {
        let server = try LoopbackServer(respond: { _ in
            LoopbackResponse(status: 302, headers: [("Location", "/secret")])
        })
        let url = try #require(URL(string: server.origin + "/start"))
        let transport: any HTTPTransport = Container.imageTransport()
        let request = HTTPClient.Request(url: url, endpoint: "image")
        await #expect(throws: BrowseError.self) { try await transport.send(request) }
        #expect(server.requests.map { $0.target } == ["/start"])
    }
}
