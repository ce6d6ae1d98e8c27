/// An element of a page.
///
/// Commands fail with the code `stale element reference` after the page has replaced the element.
public struct Element: Sendable {
    /// A reference as the driver encodes it (https://www.w3.org/TR/webdriver2/#elements).
    struct Reference: Codable, Hashable {
        let id: String
        enum CodingKeys: String, CodingKey { case id = "element-6066-11e4-a52e-4f735466cecf" }
    }

    let browser: Browser
    let reference: Reference
    /// The selector that found the element.
    public let selector: String

    private var path: String { "\(browser.path)/element/\(reference.id)" }

    /// The element as an argument of a script.
    public var argument: JSON { [Reference.CodingKeys.id.rawValue: .string(reference.id)] }

    /// Scrolls the element into view and clicks its center.
    ///
    /// - Throws: `.rejected` with the code `element click intercepted` if something else covers it.
    public func click() async throws(WebDriverError) {
        let _: JSON = try await browser.connection.post(path + "/click")
    }

    /// Focuses the element and types text into it.
    public func type(_ text: String) async throws(WebDriverError) {
        let _: JSON = try await browser.connection.post(path + "/value", ["text": .string(text)])
    }

    /// Removes the text of an input field.
    public func clear() async throws(WebDriverError) {
        let _: JSON = try await browser.connection.post(path + "/clear")
    }

    /// The rendered text.
    public var text: String {
        get async throws(WebDriverError) { try await browser.connection.get(path + "/text") }
    }

    /// Whether the element is rendered.
    public var isDisplayed: Bool {
        get async throws(WebDriverError) { try await browser.connection.get(path + "/displayed") }
    }

    /// The name that assistive technology reads (https://www.w3.org/TR/accname-1.2/).
    public var accessibleName: String {
        get async throws(WebDriverError) { try await browser.connection.get(path + "/computedlabel") }
    }

    /// The element's pixels, as a PNG image in base64.
    public var screenshot: String {
        get async throws(WebDriverError) { try await browser.connection.get(path + "/screenshot") }
    }

    /// The value of an attribute; `nil` if the element doesn't have it.
    public func attribute(_ name: String) async throws(WebDriverError) -> String? {
        let value: String? = try await browser.connection.get(path + "/attribute/\(name)")
        return value
    }

    /// The value of a property of the DOM, such as `value` or `checked`.
    public func property(_ name: String) async throws(WebDriverError) -> JSON {
        try await browser.connection.get(path + "/property/\(name)")
    }

    /// The first descendant that matches a CSS selector.
    public func find(_ selector: String) async throws(WebDriverError) -> Element {
        let reference: Reference = try await browser.connection.post(path + "/element", .css(selector))
        return Element(browser: browser, reference: reference, selector: "\(self.selector) \(selector)")
    }
}
