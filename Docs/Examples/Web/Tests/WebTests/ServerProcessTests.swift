import Foundation
import TestServers
import Testing

@testable import WebApp

/// The command `browse-web` in a process of its own.
@Suite("The server's process", .timeLimit(.minutes(10)))
struct ServerProcessTests {
    /// Starts the server on free ports, and returns them.
    private func start(_ environment: [String: String] = [:]) async throws -> (SpawnedProcess, port: Int, metrics: Int)
    {
        let usual = [
            "PORT": "0", "WEB_METRICS_ADDRESS": "127.0.0.1:0", "WEB_LONGEST_WAIT": "300", "WEB_LOG_LEVEL": "error",
        ]
        let server = try SpawnedProcess(
            product("browse-web"),
            [],
            environment: usual.merging(environment) { $1 },
            mergesErrors: true
        )
        func port(_ prefix: String) async throws -> Int {
            let line = try await server.line { $0.hasPrefix(prefix + "http://127.0.0.1:") }
            return try #require(Int(line.split(separator: ":").last ?? ""))
        }
        return (server, try await port(""), try await port("Metrics: "))
    }

    private func reading(_ name: String, _ port: Int) async throws -> Double {
        let lines = try await TestBrowser(port: port).send("GET", "/metrics").body.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        return try #require(Double(line.dropFirst(name.count + 1)))
    }

    @Test("The metrics report the main actor's time and waits, also after minutes of other work")
    func mainActor() async throws {
        let (server, port, metrics) = try await start()
        defer { server.stop() }
        let browser = TestBrowser(port: port)
        var last = 0.0
        for round in 1...3 {
            for address in ["/users?q=octocat", "/github/users/octocat/followers", "/characters", "/apps?q=tea"] {
                #expect(try await browser.open(address).response.status == 200)
            }
            let seconds = try await reading("browse_main_actor_seconds_total", metrics)
            #expect(seconds.isFinite && seconds > last)
            last = seconds
            #expect(try await reading("browse_main_actor_hops_total", metrics) == Double(4 * round))
            let wait = try await reading("browse_main_actor_wait_seconds_total", metrics)
            #expect(wait.isFinite && wait > 0)
        }
    }

    @Test("A signal ends the server, also while pages have open streams, and requests are incomplete")
    func shutdown() async throws {
        let (server, port, _) = try await start()
        defer { server.stop() }
        let browser = TestBrowser(port: port)
        let page = try await browser.open("/users?q=octocat")
        try await browser.stream(page) { stream in
            _ = try await stream.read(until: "retry")
            // A request that never arrives doesn't delay the end.
            try await TestBrowser.connect(port) { slow in
                try await slow.write("POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\ncsrf=")
                server.terminate()
                while try await slow.read() != nil {}
            }
            while try await stream.read() != nil {}
        }
        #expect(await server.finished().count == 2)
    }
}
