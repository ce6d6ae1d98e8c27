import Foundation
import TestProcesses
import Testing

@testable import WebApp

/// The command `browse-web` in a process of its own.
@Suite("The server's process", .timeLimit(.minutes(10)))
struct ServerProcessTests {
    /// Starts the server on a free port, and returns its port.
    private func start() async throws -> (SpawnedProcess, port: Int) {
        let server = try SpawnedProcess(product("browse-web"), ["--port", "0", "--longest-wait", "300"])
        let address = try await server.line { $0.hasPrefix("http://127.0.0.1:") }
        return (server, try #require(Int(address.split(separator: ":").last ?? "")))
    }

    private func reading(_ name: String, _ browser: TestBrowser) async throws -> Double {
        let lines = try await browser.send("GET", "/metrics").body.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        return try #require(Double(line.dropFirst(name.count + 1)))
    }

    @Test("The metrics report the main actor's time and waits, also after minutes of other work")
    func mainActor() async throws {
        let (server, port) = try await start()
        defer { server.stop() }
        let browser = TestBrowser(port: port)
        var last = 0.0
        for round in 1...3 {
            for address in ["/users?q=octocat", "/github/users/octocat/followers", "/characters", "/apps?q=tea"] {
                #expect(try await browser.open(address).response.status == 200)
            }
            let seconds = try await reading("browse_main_actor_seconds_total", browser)
            #expect(seconds.isFinite && seconds > last)
            last = seconds
            #expect(try await reading("browse_main_actor_hops_total", browser) == Double(4 * round))
            let wait = try await reading("browse_main_actor_wait_seconds_total", browser)
            #expect(wait.isFinite && wait > 0)
        }
    }

    @Test("A signal ends the server, also while pages have open streams, and requests are incomplete")
    func shutdown() async throws {
        let (server, port) = try await start()
        defer { server.stop() }
        let browser = TestBrowser(port: port)
        let page = try await browser.open("/users?q=octocat")
        try await browser.stream(page.id) { stream in
            _ = try await stream.read(until: "retry")
            // A request that never arrives doesn't delay the end.
            try await TestBrowser.connect(port) { slow in
                try await slow.write("POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\ncsrf=")
                server.terminate()
                while try await slow.read() != nil {}
            }
            while try await stream.read() != nil {}
        }
        #expect(await server.finished().count == 1)
    }
}
