#if canImport(Glibc)
import BrowseDomain
import BrowseMocks
import Foundation
import Glibc
import TestLimits
import Testing

import BrowseData

@Suite(.bounded)
struct `The curl transport` {
    @Test func `performs hundreds of concurrent requests, each with its own response`() async throws {
        let connectionCount = Monitor(0)
        let server = try LoopbackServer(isRecording: false) { request in
            connectionCount.withLock { $0 = max($0, request.connection + 1) }
            return LoopbackResponse(body: request.target)
        }
        let transport = CurlTransport()
        let limits = HTTPLimits(duration: .seconds(100_000))
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                let url = try #require(URL(string: "\(server.origin)/\(number)"))
                group.addTask {
                    let task = Task {
                        try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits)).body
                    }
                    // Some are removed from the middle of the queue.
                    if number % 10 == 9 { task.cancel() }
                    return (number, await task.result)
                }
            }
            var canceled = 0
            for try await (number, result) in group {
                switch result {
                case .success(let body): #expect(body == Data("/\(number)".utf8))
                case .failure(let error):
                    #expect(error as? BrowseError == .cancelled)
                    canceled += 1
                }
            }
            #expect(canceled <= 50)
        }
        // No more than 8 stay open. The server can notice the end of those of canceled requests later.
        await server.waitForDisconnect(connectionCount.value - 8)
    }

    /// In a separate process, in which lookups of some names block.
    @Test func `abandons canceled lookups without blocking other requests or starting more lookups`() async throws {
        let lines = try await ChildProcess("lookups").finished()
        #expect(lines == ["done"])
    }

    @Test(
        arguments: [
            "HTTP/1.1 204 No Content\r\nContent-Length: 8\r\n\r\n",
            "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func `doesn't reuse a connection after a response with an ambiguous end`(head: String) async throws {
        let server = try LoopbackServer { request in
            request.target == "/first" ? LoopbackResponse(steps: [.text(head)]) : .json("{}")
        }
        let transport = CurlTransport(connectionsPerHost: 1)
        for target in ["/first", "/second", "/third"] {
            let url = try #require(URL(string: server.origin + target))
            _ = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /"))
        }
        #expect(server.requests.map(\.connection) == [0, 1, 1])
    }
}
#endif
