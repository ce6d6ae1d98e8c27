public import Foundation

/// A browser with its own cookies; commands apply to the current window.
public final class Browser: Sendable {
    let connection: Connection
    let path: String
    let options: BrowserOptions
    /// The engine, of which only Chromium has the commands of the DevTools and of the console.
    public let engine: BrowserEngine

    init(connection: Connection, path: String, options: BrowserOptions, _ engine: BrowserEngine) {
        self.engine = engine
        self.connection = connection
        self.path = path
        self.options = options
    }

    // MARK: Navigation

    /// Loads a page and waits for its load event.
    public func open(_ url: URL) async throws(WebDriverError) {
        try await run("/url", ["url": .string(url.absoluteString)])
    }

    /// Loads the page again and waits for its load event.
    public func reload() async throws(WebDriverError) { try await run("/refresh") }

    /// Goes back in the history and waits for the page's load event.
    public func goBack() async throws(WebDriverError) { try await run("/back") }

    /// The address of the page.
    public var url: URL {
        get async throws(WebDriverError) {
            let text: String = try await connection.get(path + "/url")
            guard let url = URL(string: text) else { throw .unexpectedResponse(command: "GET /url", body: text) }
            return url
        }
    }

    /// The title of the page.
    public var title: String {
        get async throws(WebDriverError) { try await connection.get(path + "/title") }
    }

    /// The page's document as HTML.
    public var source: String {
        get async throws(WebDriverError) { try await connection.get(path + "/source") }
    }

    /// The rendered text of the page's body.
    public var text: String {
        get async throws(WebDriverError) { try await find("body").text }
    }

    // MARK: Elements

    /// The first element that matches a CSS selector.
    ///
    /// - Throws: `.rejected` with the code `no such element`.
    public func find(_ selector: String) async throws(WebDriverError) -> Element {
        let reference: Element.Reference = try await connection.post(path + "/element", .css(selector))
        return Element(browser: self, reference: reference, selector: selector)
    }

    /// All elements that match a CSS selector, in document order.
    public func findAll(_ selector: String) async throws(WebDriverError) -> [Element] {
        let references: [Element.Reference] = try await connection.post(path + "/elements", .css(selector))
        return references.map { Element(browser: self, reference: $0, selector: selector) }
    }

    /// The element with the keyboard focus.
    public var focused: Element {
        get async throws(WebDriverError) {
            let reference: Element.Reference = try await connection.get(path + "/element/active")
            return Element(browser: self, reference: reference, selector: ":focus")
        }
    }

    // MARK: Scripts and screenshots

    /// Runs the body of a function, also on pages that can't run scripts, and returns its result.
    ///
    /// - Parameters:
    ///   - script: Statements; `return` sets the result, `arguments` contains the arguments.
    ///   - arguments: JSON values.
    @discardableResult
    public func execute(_ script: String, _ arguments: JSON...) async throws(WebDriverError) -> JSON {
        try await connection.post(path + "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// The visible part of the page as PNG.
    public func screenshot() async throws(WebDriverError) -> Data {
        let text: String = try await connection.get(path + "/screenshot")
        return Data(base64Encoded: text) ?? Data()
    }

    // MARK: Plumbing

    /// Runs a command whose result is `null`.
    func run(_ command: String, _ body: JSON = [:]) async throws(WebDriverError) {
        let _: JSON = try await connection.post(path + command, body)
    }

    /// Closes all windows and ends the browser, even if the task was canceled.
    func close() async {
        await Task { [connection, path] in let _: JSON? = try? await connection.delete(path) }.value
    }
}

extension JSON {
    /// The body of a command that finds elements.
    static func css(_ selector: String) -> JSON { ["using": "css selector", "value": .string(selector)] }
}
