import BrowseMocks
import Foundation
import Hummingbird
import Logging
import Testing
@testable import WebApp
import WebDriver

/// The site on fixtures, on a free port of this process, and a driver that opens browsers.
struct TestSite: Sendable {
    let origin: URL
    private let driver: Driver

    /// Runs a closure with a site, and stops both at its end.
    static func run(
        _ services: OfflineServices = OfflineServices(),
        clock: any Clock<Duration> = ContinuousClock(),
        in engine: BrowserEngine = .chromium,
        _ body: @escaping @Sendable (TestSite) async throws -> Void
    ) async throws {
        let driver = try await Driver.start(engine)
        try await serve(SiteConfiguration(source: .fixtures(services), clock: clock), for: driver, body)
        await driver.stop()
    }

    /// Runs a closure with a site on a port, and stops the site at its end; 0 is any free port.
    static func serve(
        _ configuration: SiteConfiguration = SiteConfiguration(),
        at port: Int = 0,
        for driver: Driver,
        _ body: @escaping @Sendable (TestSite) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.limits = .patient
        let site = Site(configuration)
        let (origins, running) = AsyncStream<URL>.makeStream()
        let application = site.application(
            address: .hostname("127.0.0.1", port: port),
            logger: Logger(label: "browser-tests") { _ in SwiftLogNoOpLogHandler() }
        ) { port in
            guard let origin = URL(string: "http://127.0.0.1:\(port)") else { return }
            site.start(at: origin)
            running.yield(origin)
        }
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { running.finish() }
                try await application.run()
            }
            var origin: URL?
            for await running in origins {
                origin = running
                break
            }
            if let origin { group.addTask { try await body(TestSite(origin: origin, driver: driver)) } }
            // Throws the server's error if it hasn't started.
            try await group.next()
            group.cancelAll()
        }
    }

    /// Runs a closure with a new browser; a visitor of their own.
    ///
    /// Fails if the browser reported an error, such as a script that failed or was blocked, or a missing file.
    func browse(
        _ options: BrowserOptions = BrowserOptions(),
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Browser) async throws -> Void
    ) async throws {
        try await driver.withBrowser(options) { browser in
            try await body(browser)
            guard browser.engine == .chromium else { return }
            // The browser reports the status of the page that is missing on purpose.
            let errors = try await browser.consoleMessages().filter {
                $0.level == "SEVERE" && !$0.message.contains("/nothing ")
            }
            #expect(errors == [], sourceLocation: sourceLocation)
        }
    }

    /// A page of each kind, an error, and the page that stands in for GitHub's.
    var pages: [String] {
        let query = "redirect_uri=\(origin.absoluteString)/sign-in/callback&state=1"
        return BrowserSuite.LayoutTests.pages + ["/nothing", "/login/oauth/authorize?\(query)"]
    }

    /// The address of a page.
    func page(_ path: String) -> URL { URL(string: path, relativeTo: origin)?.absoluteURL ?? origin }
}

extension SiteLimits {
    /// The limits of time that suit a busy machine.
    static var patient: SiteLimits {
        var limits = SiteLimits()
        limits.loading = .seconds(300)
        limits.picture = .seconds(300)
        limits.heartbeat = .seconds(300)
        return limits
    }
}

extension Browser {
    /// Presses a button of the settings, which loads the page again.
    func choose(_ title: String) async throws {
        try await click(".settings summary")
        try await waitForNavigation { try await press(button: title) }
    }

    /// Opens a page of a site.
    func open(_ path: String, of site: TestSite) async throws { try await open(site.page(path)) }
}
