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
        let folder = URL.temporaryDirectory.appending(path: "ImageRedirectTests-\(UUID().uuidString)")
        var configuration = Configuration().with { $0.storageFolder = folder }
        // Images may then be on this computer.
        configuration.gitHub.url = try #require(URL(string: server.origin))
        let image = ImageRequest(WebAddress(server.origin + "/start"))
        let images = Container.live(configuration).imageRepository()
        await #expect(throws: BrowseError.self) { try await images.image(for: image) }
        #expect(server.requests.map { $0.target } == ["/start"])
    }
}
