#if canImport(Glibc)
import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(10)))
struct `The curl transport` {
    @Test func `performs ten thousand concurrent requests, each with its own response`() async throws {
        let server = try LoopbackServer(isRecording: false) { LoopbackResponse(body: $0.target) }
        let transport = CurlTransport()
        let limits = HTTPLimits(duration: .seconds(100_000))
        try await withThrowingTaskGroup { group in
            for number in 0..<10_000 {
                let url = try #require(URL(string: "\(server.origin)/\(number)"))
                group.addTask {
                    let task = Task {
                        try await transport.send(HTTPRequest(url: url, endpoint: "GET /", limits: limits)).body
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
            #expect(canceled <= 1000)
        }
        #expect(server.openConnections <= 8)
    }

    /// In a separate process, in which lookups of some names block.
    @Test func `abandons canceled lookups without blocking other requests or starting more lookups`() async throws {
        let lines = try await ChildProcess("lookups").finished()
        #expect(lines == ["done"])
    }
}
#endif
