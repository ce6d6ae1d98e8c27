import Foundation

extension Browser {
    /// The time that conditions have, enough for a machine under load; it is used up only if a test fails.
    public static let longestWait: Duration = .seconds(120)

    /// Waits for a condition, and returns its value.
    ///
    /// A browser doesn't notify its driver of changes, so the condition is evaluated again and again. Elements that are missing,
    /// and elements and documents that were replaced meanwhile, count as not holding.
    ///
    /// - Parameters:
    ///   - description: The condition in words, for the error.
    ///   - longestWait: The time limit.
    ///   - condition: Returns `nil` while the condition doesn't hold.
    /// - Throws: `.timedOut` with the page's address and text, and the errors of `condition`.
    @discardableResult
    public func wait<Value>(
        for description: String,
        longestWait: Duration = Browser.longestWait,
        _ condition: () async throws -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now + longestWait
        while true {
            do {
                if let value = try await condition() { return value }
            } catch let error as WebDriverError where error.isTransient {}
            if ContinuousClock.now >= deadline {
                throw WebDriverError.timedOut(waitingFor: description, page: await pageDescription())
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until a Boolean condition holds.
    public func wait(
        until description: String,
        longestWait: Duration = Browser.longestWait,
        _ condition: () async throws -> Bool
    ) async throws {
        try await wait(for: description, longestWait: longestWait) { try await condition() ? () : nil }
    }

    /// Waits for an element that matches a CSS selector.
    @discardableResult
    public func wait(for selector: String) async throws -> Element {
        try await wait(for: "the element \(selector)") { try await findAll(selector).first }
    }

    /// Waits for an element whose text contains a text.
    @discardableResult
    public func wait(for selector: String, containing text: String) async throws -> Element {
        try await wait(for: "“\(text)” in \(selector)") {
            for element in try await findAll(selector) where try await element.text.contains(text) { return element }
            return nil
        }
    }

    /// Waits for an element that matches a CSS selector, and clicks it.
    ///
    /// A live update can replace or move the element between the two, so that the click is refused; the next element is clicked then.
    public func click(_ selector: String) async throws {
        try await click("a click on \(selector)") { try await findAll(selector).first }
    }

    /// Waits for an element, and clicks it.
    ///
    /// - Parameters:
    ///   - description: The click in words, for the error.
    ///   - element: Returns `nil` while the element doesn't exist.
    public func click(_ description: String, _ element: () async throws -> Element?) async throws {
        let result = try await wait(for: description) { () -> Result<Void, WebDriverError>? in
            guard let element = try await element() else { return nil }
            do throws(WebDriverError) {
                return .success(try await element.click())
            } catch {
                // After any other error, the element may have been clicked.
                return error.isMissingElement || error.isIntercepted ? nil : .failure(error)
            }
        }
        try result.get()
    }

    /// Waits until no element matches a CSS selector.
    public func waitForNo(_ selector: String) async throws {
        try await wait(until: "no element \(selector)") { try await findAll(selector).isEmpty }
    }

    /// Waits for a number of elements that match a CSS selector.
    @discardableResult
    public func wait(for count: Int, of selector: String) async throws -> [Element] {
        try await wait(for: "\(count) elements \(selector)") {
            let elements = try await findAll(selector)
            return elements.count == count ? elements : nil
        }
    }

    /// Performs an action that leads to another document, and waits for that document to load.
    ///
    /// Commands such as a click return before a form is submitted, so the text of the old page could be read by mistake.
    public func waitForNavigation(_ action: () async throws -> Void) async throws {
        let mark = "navigation-\(UUID().uuidString)"
        try await execute("document.documentElement.dataset.mark = arguments[0]", .string(mark))
        try await action()
        try await wait(until: "another page") {
            try await execute(
                "return document.readyState === 'complete' && document.documentElement.dataset.mark !== arguments[0]",
                .string(mark)
            ) == true
        }
    }

    private func pageDescription() async -> String {
        let address = (try? await url.absoluteString) ?? "unknown address"
        let text = (try? await text) ?? "no text"
        let messages = ((try? await consoleMessages()) ?? []).map { "\($0.level): \($0.message)" }
        return ([address, String(text.prefix(1_500))] + messages).joined(separator: "\n")
    }
}
