/// A message of a page's console.
public struct ConsoleMessage: Decodable, Hashable, Sendable {
    /// The severity, such as `SEVERE`.
    public let level: String
    /// The text, with the address of its source.
    public let message: String
}

extension Browser {
    /// The console's messages since the last call, of all windows.
    public func consoleMessages() async throws(WebDriverError) -> [ConsoleMessage] {
        try await connection.post(path + "/se/log", ["type": "browser"])
    }

    /// Changes the size of the current window's pages.
    public func setViewport(_ viewport: BrowserOptions.Viewport) async throws(WebDriverError) {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(viewport.width)), "height": .number(Double(viewport.height)),
                "deviceScaleFactor": .number(viewport.scale), "mobile": .bool(viewport.isPhone),
            ]
        )
        try await devTools("Emulation.setTouchEmulationEnabled", ["enabled": .bool(viewport.isPhone)])
    }

    /// Changes the color scheme that the current window's pages are asked for.
    public func setColorScheme(_ scheme: BrowserOptions.ColorScheme) async throws(WebDriverError) {
        try await devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]]]
        )
    }

    /// Runs a command of the Chrome DevTools Protocol in the current window.
    @discardableResult
    public func devTools(_ command: String, _ parameters: JSON = [:]) async throws(WebDriverError) -> JSON {
        try await connection.post(path + "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    /// Applies the options that belong to a window to the current one.
    func applyEmulation() async throws(WebDriverError) {
        try await setViewport(options.viewport)
        try await setColorScheme(options.colorScheme)
    }
}
