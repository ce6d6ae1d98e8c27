import BrowseMocks
import Testing
import WebSupport

@testable import WebApp

@Suite("Slow and many connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test(
        "A connection whose request doesn't arrive in time is closed",
        arguments: [
            "", "GET /users HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
            "POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ncsrf=",
            "POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ncsrf=\r\n",
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /users HTTP/1.1\r\n",
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n",
            "POST /actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20000\r\n\r\n"
                + String(repeating: "x", count: 20_000),
        ]
    )
    func slow(_ text: String) async throws {
        var configuration = SiteConfiguration()
        configuration.limits.requestTime = .milliseconds(50)
        try await RunningSite.run(configuration) { running in
            try await TestBrowser.connect(running.port) { connection in
                // The server may close the connection first.
                try? await connection.write(text)
                while try await connection.read() != nil {}
            }
        }
    }

    @Test("All addresses together have a limited number of connections, which leaves descriptors for the rest")
    func total() async throws {
        var configuration = SiteConfiguration()
        configuration.limits.connections = 8
        try await RunningSite.run(configuration) { running in
            #expect(running.site.configuration.limits.connections == 8)
            // A quarter for each address.
            let health = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            try await TestBrowser.connect(running.port) { first in
                try await first.write(health)
                _ = try await first.read()
                try await TestBrowser.connect(running.port) { second in
                    try await second.write(health)
                    _ = try await second.read()
                    try await TestBrowser.connect(running.port) { third in
                        let end = try await third.read()
                        #expect(end == nil)
                    }
                }
            }
        }
        configuration.limits.connections = 2
        configuration.proxies = ["127.0.0.1"]
        try await RunningSite.run(configuration) { running in
            try await TestBrowser.connect(running.port) { first in
                try await first.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                _ = try await first.read()
                try await TestBrowser.connect(running.port) { second in
                    try await second.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    _ = try await second.read()
                    #expect(running.site.connections.count == 2)
                    // A proxy has no limit of its own.
                    try await TestBrowser.connect(running.port) { third in
                        let end = try await third.read()
                        #expect(end == nil)
                    }
                }
            }
        }
    }

    @Test("An address has a limited number of connections, and closing one makes room")
    func many() async throws {
        var configuration = SiteConfiguration()
        configuration.limits.connectionsPerAddress = 2
        try await RunningSite.run(configuration) { running in
            let health = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            try await TestBrowser.connect(running.port) { first in
                try await first.write(health)
                let firstAnswer = try await first.read()
                #expect(firstAnswer?.contains("200") == true)
                try await TestBrowser.connect(running.port) { second in
                    try await second.write(health)
                    let secondAnswer = try await second.read()
                    #expect(secondAnswer?.contains("200") == true)
                    try await TestBrowser.connect(running.port) { third in
                        let end = try await third.read()
                        #expect(end == nil)
                    }
                    try await second.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    while try await second.read() != nil {}
                }
                // The server may notice later than the client that the second connection is closed, and refuse until then.
                var answer: String?
                while answer?.contains("200") != true {
                    try await TestBrowser.connect(running.port) { other in
                        try? await other.write(health)
                        answer = try await other.read()
                    }
                }
            }
        }
    }
}
