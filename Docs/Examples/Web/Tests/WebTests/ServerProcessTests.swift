import Foundation
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import WebApp

/// The command `browse-web` in a process of its own.
@Suite("The server's process", .timeLimit(.minutes(10)))
struct ServerProcessTests {
    /// Starts the server on free ports, and returns them.
    ///
    /// - Parameters:
    ///   - environment: Variables in addition to those that all tests need, or in their place.
    ///   - descriptors: The hard limit of descriptors.
    private func start(_ environment: [String: String] = [:], descriptors: Int? = nil) async throws
        -> (SpawnedProcess, port: Int, metrics: Int)
    {
        let usual = [
            "PORT": "0", "WEB_METRICS_ADDRESS": "127.0.0.1:0", "WEB_LONGEST_WAIT": "300", "WEB_LOG_LEVEL": "error",
        ]
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        let server = try SpawnedProcess(
            "/bin/sh",
            ["-c", "\(limit)exec \"$0\"", product("browse-web")],
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

    @Test("Three quarters of the descriptors are for connections, so that the site goes on when they're used")
    func connections() async throws {
        let (server, port, metrics) = try await start(["WEB_PROXIES": "127.0.0.1"], descriptors: 512)
        defer { server.stop() }
        let group = MultiThreadedEventLoopGroup.singleton
        var channels: [any Channel] = []
        for _ in 0..<400 {
            channels.append(try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get())
        }
        try await eventually { try await reading("browse_connections", metrics) == 288 }
        // The others are closed by the server.
        try await eventually { channels.count { !$0.isActive } == 112 }
        #expect(try await reading("browse_connections", metrics) == 288)
        for channel in channels where channel.isActive { try await channel.close() }
        try await eventually { try await reading("browse_connections", metrics) < 288 }
        let body = try await TestBrowser(port: port).send("GET", "/users?q=octocat", ["Host": "127.0.0.1"]).body
        #expect(body.contains("octocat"))
    }

    @Test("The address of the socket and the level of the log are those of the settings")
    func settings() async throws {
        let port = try freePort()
        let (server, _, _) = try await start(["WEB_ADDRESS": "127.0.0.2:\(port)", "WEB_LOG_LEVEL": "info"])
        defer { server.stop() }
        func health(_ host: String) async throws -> [String] {
            try await SpawnedProcess("/usr/bin/curl", ["-s", "http://\(host):\(port)/health"]).finished()
        }
        #expect(try await health("127.0.0.2") == ["OK"])
        #expect(try await health("127.0.0.1") == [])
        try await server.line { $0.contains("GET /health 200") }
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
