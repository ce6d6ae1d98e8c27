import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseData

/// A reused connection that closes after the next request has arrived.
@Suite(.bounded)
struct `A request that the server receives but doesn't answer` {
    @Test(arguments: TestTransport.robust, [nil, Data(), Data("{}".utf8)])
    func `arrives once if it isn't safe to repeat`(on transport: TestTransport, body: Data?) async throws {
        let server = try LoopbackServer { request in
            request.method == "POST" ? LoopbackResponse(steps: [.close]) : .json("{}")
        }
        let transport = transport.make(connectionsPerHost: 1)
        let url = try #require(URL(string: server.origin))
        for _ in 0..<3 {
            _ = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /"))
            let post = HTTPClient.Request(method: .post, url: url, body: body, endpoint: "POST /")
            let error = await thrown { () async throws(BrowseError) in try await transport.send(post) }
            #expect(error == .unreachable(.connectionLost, post.info))
        }
        #expect(server.requests.count { $0.method == "POST" } == 3)
    }
}
