#if os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Glibc

/// Forks after a request, and checks that the child exits without waiting for its parent's loops.
struct ForkRun {
    private static let parent = getpid()

    static func run() async throws {
        _ = parent
        // Handlers run in reverse order, so this one runs after the library's.
        atexit { if getpid() != ForkRun.parent { _exit(CurlLibrary.isExiting ? 1 : 0) } }
        let server = try LoopbackServer(isRecording: false) { _ in .json("{}") }
        guard let url = URL(string: server.origin) else { throw TestChild.WrongArguments() }
        let transport = TransportKind.platformDefault.makeTransport(connectionsPerHost: 1)
        _ = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /"))
        let child = fork()
        if child == 0 { exit(0) }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        TestChild.write(status == 0 ? "done" : "wrong: the child's exit handler stopped the parent's loops")
    }
}
#endif
