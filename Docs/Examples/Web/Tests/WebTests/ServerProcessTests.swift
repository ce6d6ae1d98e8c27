import Foundation
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import WebApp

/// The command `browse-web` in a process of its own.
@Suite("The server's process", .timeLimit(.minutes(10)))
struct ServerProcessTests {
    /// Starts the server on a free port, and returns it.
    ///
    /// - Parameter environment: Variables in addition to those that all tests need, or in their place.
    private func start(_ environment: [String: String] = [:]) async throws -> (SpawnedProcess, port: Int) {
        let usual = ["PORT": "0", "WEB_LONGEST_WAIT": "300", "WEB_LOG_LEVEL": "error"]
        let server = try SpawnedProcess(
            product("browse-web"),
            [],
            environment: usual.merging(environment) { $1 },
            mergesErrors: true
        )
        let line = try await server.line { $0.hasPrefix("http://127.0.0.1:") }
        return (server, try #require(Int(line.split(separator: ":").last ?? "")))
    }

    @Test("The address of the socket and the level of the log are those of the settings")
    func settings() async throws {
        let port = try freePort()
        let (server, _) = try await start(["WEB_ADDRESS": "127.0.0.2:\(port)", "WEB_LOG_LEVEL": "info"])
        defer { server.stop() }
        func health(_ host: String) async throws -> [String] {
            try await SpawnedProcess("/usr/bin/curl", ["-s", "http://\(host):\(port)/health"]).finished()
        }
        #expect(try await health("127.0.0.2") == ["OK"])
        #expect(try await health("127.0.0.1") == [])
        try await server.line { $0.contains(" info ") }
    }

    @Test("A signal ends the server, also while pages have open streams, and requests are incomplete")
    func shutdown() async throws {
        let (server, port) = try await start()
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
        #expect(await server.finished().filter { $0.hasPrefix("http") }.count == 1)
    }
}
