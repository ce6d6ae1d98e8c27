import BrowseMocks
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
@testable import WebApp

/// A site on a port of this machine, for tests of connections.
struct RunningSite: Sendable {
    let site: Site
    let port: Int

    /// Runs a site until `body` returns; then it shuts down gracefully, which must end all streams.
    static func run(
        _ configuration: SiteConfiguration = SiteConfiguration(),
        logger: Logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() },
        _ body: (RunningSite) async throws -> Void
    ) async throws {
        let site = Site(configuration.patient)
        let port = Monitor<Int?>(nil)
        let application = site.application(address: .hostname("127.0.0.1", port: 0), logger: logger) { number in
            if let origin = URL(string: "http://127.0.0.1:\(number)") { site.start(at: origin) }
            port.withLock { $0 = number }
        }
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        async let running: Void = group.run()
        try await waitUntil { port.value != nil }
        let number = try #require(port.value)
        let result: Result<Void, any Error>
        do { result = .success(try await body(RunningSite(site: site, port: number))) } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running
        try result.get()
    }

    /// Sends a request in a tab of its own, beside others with the same cookie.
    func tab(
        _ cookie: String,
        _ send: @escaping @Sendable (TestBrowser) async throws -> TextResponse
    ) -> Task<TextResponse, any Error> {
        Task {
            let tab = TestBrowser(self)
            tab.cookie = cookie
            return try await send(tab)
        }
    }
}

extension SiteConfiguration {
    /// The configuration with default limits of time that suit a busy machine.
    var patient: SiteConfiguration {
        let usual = SiteLimits()
        var patient = self
        if limits.loading == usual.loading { patient.limits.loading = .seconds(300) }
        if limits.picture == usual.picture { patient.limits.picture = .seconds(300) }
        if limits.heartbeat == usual.heartbeat { patient.limits.heartbeat = .seconds(300) }
        return patient
    }
}

/// A response as text.
struct TextResponse {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = parts.first.map(String.init) ?? ""
        body = parts.count > 1 ? String(parts[1]) : ""
        status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// Returns the value of a field; `nil` if it's missing.
    func field(_ name: String) -> String? { fields(name).first }

    /// Returns the values of all fields with a name.
    func fields(_ name: String) -> [String] {
        head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// Returns the text between two others in the body; empty if they're missing.
    func text(from start: String, to end: String) -> String {
        guard let begin = body.range(of: start), let stop = body.range(of: end, range: begin.upperBound..<body.endIndex)
        else {
            return ""
        }
        return String(body[begin.upperBound..<stop.lowerBound])
    }
}

/// A browser without JavaScript: a cookie, requests, and event streams, over plain sockets.
final class TestBrowser {
    /// A page that was loaded.
    struct Page {
        let address: String
        let response: TextResponse
        /// The page's id.
        var id: String { response.text(from: "data-page=\"", to: "\"") }
        /// The token of its forms.
        var token: String { response.text(from: "name=\"csrf\" value=\"", to: "\"") }
        /// Identifies what the page shows.
        var shown: String { response.text(from: "data-shown=\"", to: "\"") }
    }

    let port: Int
    /// The visitor's cookie as a name and a value; empty before the first response.
    var cookie = ""
    /// The value of the visitor's cookie.
    var cookieValue: String { String(cookie.drop { $0 != "=" }.dropFirst()) }
    /// The cookie of the chosen language.
    private var languageCookie = ""

    init(port: Int) {
        self.port = port
    }

    convenience init(_ site: RunningSite) {
        self.init(port: site.port)
    }

    /// Sends a request, and returns the entire response.
    func send(
        _ method: String = "GET",
        _ path: String,
        _ fields: [String: String] = [:],
        body: String = ""
    ) async throws -> TextResponse {
        let text = request(method, path, fields.merging(["Connection": "close"]) { $1 }, body)
        var received = ""
        try await Self.connect(port) { connection in
            try await connection.write(text)
            while let part = try await connection.read() { received += part }
        }
        let response = TextResponse(received)
        for setting in response.fields("Set-Cookie") {
            let pair = String(setting.prefix { $0 != ";" })
            if pair.contains("language=") { languageCookie = pair }
            if pair.hasPrefix("visitor=") || pair.hasPrefix("__Host-visitor=") { cookie = pair }
        }
        return response
    }

    /// Loads a page.
    func open(_ address: String) async throws -> Page {
        Page(address: address, response: try await send("GET", address))
    }

    /// Presses a button of a page, as the script does.
    func press(_ action: String, on page: Page, _ fields: [String: String] = [:]) async throws -> TextResponse {
        try await post(
            ["csrf": page.token, "page": page.id, "address": page.address, "do": action].merging(fields) { $1 },
            ["Accept": "application/json"]
        )
    }

    /// Sends a form.
    func post(
        _ form: [String: String],
        _ fields: [String: String] = [:],
        to path: String = "/actions"
    ) async throws -> TextResponse {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        let body = try URLEncodedFormEncoder().encode(form)
        return try await send("POST", path, type.merging(fields) { $1 }, body: body)
    }

    /// Opens the event stream of a page, and closes it when `body` returns.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - shown: The last event that was received; by default, none but the page.
    func stream(
        _ page: Page,
        showing shown: String? = nil,
        _ body: (Connection) async throws -> Void
    ) async throws {
        let items = ["page": page.id, "shown": shown ?? page.shown, "address": page.address]
        let text = request("GET", "/events?\(try URLEncodedFormEncoder().encode(items))", [:], "")
        try await Self.connect(port) { connection in
            try await connection.write(text)
            try await body(connection)
        }
    }

    private func request(_ method: String, _ path: String, _ fields: [String: String], _ body: String) -> String {
        var lines = ["\(method) \(path) HTTP/1.1"]
        var all = ["Host": "127.0.0.1:\(port)"]
        let cookies = [cookie, languageCookie].filter { !$0.isEmpty }
        if !cookies.isEmpty { all["Cookie"] = cookies.joined(separator: "; ") }
        if !body.isEmpty { all["Content-Length"] = "\(body.utf8.count)" }
        lines += all.merging(fields) { $1 }.map { "\($0): \($1)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// A connection to the site.
    final class Connection {
        private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private let writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private var received = ""

        init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ writer: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
            iterator = inbound.makeAsyncIterator()
            self.writer = writer
        }

        func write(_ text: String) async throws {
            try await writer.write(ByteBuffer(string: text))
        }

        /// Returns the next part; `nil` at the end.
        ///
        /// A server that closes a connection before it has read everything resets it, which is an end, too.
        func read() async throws -> String? {
            do {
                return try await iterator.next(isolation: #isolation).map { String(buffer: $0) }
            } catch let error as IOError where error.errnoCode == ECONNRESET {
                return nil
            }
        }

        /// Returns everything up to a text, or up to the end.
        func read(until text: String) async throws -> String {
            while !received.contains(text), let part = try await read() { received += part }
            guard let range = received.range(of: text) else {
                defer { received = "" }
                return received
            }
            defer { received = String(received[range.upperBound...]) }
            return String(received[..<range.upperBound])
        }

        /// Returns the data of the next event of a type.
        func event(_ name: String) async throws -> String {
            _ = try await read(until: "event: \(name)\n")
            let message = try await read(until: "\n\n")
            return message.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }.joined(
                separator: "\n"
            )
        }
    }

    static func connect(_ port: Int, _ body: (Connection) async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        var result: Result<Void, any Error>?
        do {
            try await channel.executeThenClose { inbound, outbound in
                do { result = .success(try await body(Connection(inbound, outbound))) } catch {
                    result = .failure(error)
                }
            }
        } catch {
            // Closing a connection that the server has closed can fail.
            if result == nil { throw error }
        }
        try result?.get()
    }
}
