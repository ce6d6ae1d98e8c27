import BrowseData
import BrowseDomain
import Foundation

/// A browser engine of the tests.
public enum BrowserEngine: String, CaseIterable, Sendable {
    /// Chromium, headless.
    case chromium
    /// WebKitGTK's MiniBrowser, in a virtual display: Safari's engine. It has no emulation, and its console isn't read.
    case webKit

    var program: String { self == .chromium ? "chromedriver" : "WebKitWebDriver" }

    /// The command that installs the engine and its driver on Debian.
    var installCommand: String {
        switch self {
        case .chromium: "apt-get install -y chromium chromium-driver fonts-noto-cjk"
        case .webKit: "apt-get install -y webkit2gtk-driver xvfb xauth"
        }
    }
}

/// A WebDriver server that starts browsers, one process per ``Browser``.
///
/// The server and its browsers end when the last reference is released and when the process ends, even if it is killed.
/// Commands are those of https://www.w3.org/TR/webdriver2/ and, for emulation, of the Chrome DevTools Protocol.
public final class Driver: Sendable {
    private let process: DriverProcess
    private let connection: Connection
    private let engine: BrowserEngine

    /// Starts a server on a free port.
    ///
    /// - Parameters:
    ///   - engine: The engine of its browsers.
    ///   - program: The path of the driver's program, or its name in a folder of `PATH`; `nil` is the engine's.
    /// - Throws: `.missing` with the command that installs the driver, or `.driverEnded`.
    public static func start(
        _ engine: BrowserEngine = .chromium,
        program: String? = nil
    ) async throws(WebDriverError) -> Driver {
        try await Driver(process: DriverProcess.start(engine, program: program ?? engine.program), engine)
    }

    private init(process: DriverProcess, _ engine: BrowserEngine) {
        self.process = process
        self.engine = engine
        connection = Connection(port: process.port)
    }

    /// Ends the server and its browsers, and returns when all have ended.
    public func stop() async { await process.stop() }

    /// Runs a closure with a new browser, and closes the browser at its end.
    ///
    /// - Throws: `.missing` with the command that installs the browser, and the errors of `body`.
    public func withBrowser<Result>(
        _ options: BrowserOptions = BrowserOptions(),
        _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        let browser = try await open(options)
        do {
            let result = try await body(browser)
            await browser.close()
            return result
        } catch {
            await browser.close()
            throw error
        }
    }

    private func open(_ options: BrowserOptions) async throws(WebDriverError) -> Browser {
        struct Session: Decodable { let sessionId: String }
        let session: Session
        do {
            session = try await connection.post("/session", options.capabilities(for: engine))
        } catch .rejected(_, _, let message) where message.contains("cannot find") && message.contains("binary") {
            throw .missing(program: "chromium", command: engine.installCommand)
        }
        let browser = Browser(connection: connection, path: "/session/\(session.sessionId)", options: options, engine)
        guard engine == .chromium else { return browser }
        do {
            try await browser.applyEmulation()
            return browser
        } catch {
            await browser.close()
            throw error
        }
    }
}
