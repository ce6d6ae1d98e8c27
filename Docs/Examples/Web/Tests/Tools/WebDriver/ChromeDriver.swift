import BrowseData
import BrowseDomain
import Foundation

/// A WebDriver server that starts Chromium, one process per ``Browser``.
///
/// The server and its browsers end when the last reference is released and when the process ends, even if it is killed.
/// Commands are those of https://www.w3.org/TR/webdriver2/ and, for emulation, of the Chrome DevTools Protocol.
public final class ChromeDriver: Sendable {
    private let process: DriverProcess
    private let connection: Connection

    /// Starts a server on a free port.
    ///
    /// - Parameter program: The path of the driver's program, or its name in a folder of `PATH`.
    /// - Throws: `.missing` with the command that installs the driver, or `.driverEnded`.
    public static func start(program: String = "chromedriver") async throws(WebDriverError) -> ChromeDriver {
        try await ChromeDriver(process: DriverProcess.start(program: program))
    }

    private init(process: DriverProcess) {
        self.process = process
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
            session = try await connection.post("/session", options.capabilities)
        } catch .rejected(_, _, let message) where message.contains("cannot find") && message.contains("binary") {
            throw .missing(program: "chromium", command: DriverProcess.installCommand)
        }
        let browser = Browser(connection: connection, path: "/session/\(session.sessionId)", options: options)
        do {
            try await browser.applyEmulation()
            return browser
        } catch {
            await browser.close()
            throw error
        }
    }
}
