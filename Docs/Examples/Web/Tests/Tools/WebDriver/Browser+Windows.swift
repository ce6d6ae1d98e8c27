/// A window of a browser with one page, which takes the place of a tab in tests.
///
/// Headless Chromium reports the pages of background tabs as visible. Those of minimized windows are hidden.
public struct Window: Hashable, Sendable {
    let handle: String
}

extension Browser {
    /// The current window.
    public var window: Window {
        get async throws(WebDriverError) {
            let handle: String = try await connection.get(path + "/window")
            return Window(handle: handle)
        }
    }

    /// All windows, in no particular order.
    public var windows: [Window] {
        get async throws(WebDriverError) {
            let handles: [String] = try await connection.get(path + "/window/handles")
            return handles.map(Window.init)
        }
    }

    /// Opens a window with the browser's cookies, and makes it current.
    @discardableResult
    public func openWindow() async throws(WebDriverError) -> Window {
        struct Created: Decodable { let handle: String }
        let created: Created = try await connection.post(path + "/window/new", ["type": "window"])
        let window = Window(handle: created.handle)
        try await select(window)
        try await applyEmulation()
        return window
    }

    /// Sends the next commands to a window.
    public func select(_ window: Window) async throws(WebDriverError) {
        try await run("/window", ["handle": .string(window.handle)])
    }

    /// Hides the pages of the current window, as a browser does with background tabs.
    public func hideWindow() async throws(WebDriverError) { try await setWindowState("minimized") }

    /// Shows the pages of the current window again.
    public func showWindow() async throws(WebDriverError) { try await setWindowState("normal") }

    /// Gives the current window the focus.
    public func focusWindow() async throws(WebDriverError) { try await devTools("Page.bringToFront") }

    /// Closes the current window; select another one next.
    public func closeWindow() async throws(WebDriverError) {
        let _: [String] = try await connection.delete(path + "/window")
    }

    private func setWindowState(_ state: String) async throws(WebDriverError) {
        let window = try await devTools("Browser.getWindowForTarget")
        try await devTools(
            "Browser.setWindowBounds",
            ["windowId": window["windowId"], "bounds": ["windowState": .string(state)]]
        )
    }
}
