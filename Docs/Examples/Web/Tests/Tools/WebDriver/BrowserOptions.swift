import Foundation

/// The properties of a new browser.
public struct BrowserOptions: Hashable, Sendable {
    /// The size of a page in CSS pixels.
    public struct Viewport: Hashable, Sendable {
        /// The width.
        public var width: Int
        /// The height.
        public var height: Int
        /// Device pixels per CSS pixel.
        public var scale: Double
        /// Whether pages are laid out as on a phone, with the page's viewport and touch.
        public var isPhone: Bool

        /// Creates a viewport.
        public init(width: Int, height: Int, scale: Double = 1, isPhone: Bool = false) {
            self.width = width
            self.height = height
            self.scale = scale
            self.isPhone = isPhone
        }

        /// A desktop window.
        public static let desktop = Viewport(width: 1_280, height: 800)
        /// A tablet.
        public static let tablet = Viewport(width: 768, height: 1_024)
        /// A phone.
        public static let phone = Viewport(width: 390, height: 844, scale: 2, isPhone: true)
        /// The smallest width that has to work (WCAG 2.2, criterion 1.4.10).
        public static let smallPhone = Viewport(width: 320, height: 568, scale: 2, isPhone: true)
    }

    /// The color scheme that pages are asked for.
    public enum ColorScheme: String, Hashable, Sendable {
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    /// The language of the browser and of its requests, such as `ko`.
    public var language: String
    /// Whether pages can run scripts; ``Browser/execute(_:_:)`` always can.
    public var runsScripts: Bool
    /// The size of pages.
    public var viewport: Viewport
    /// The preferred color scheme.
    public var colorScheme: ColorScheme
    /// Whether certificates aren't checked, for one that was made for a test.
    public var acceptsAnyCertificate = false

    /// Creates options; by default an English desktop browser with scripts and light colors.
    public init(
        language: String = "en-US",
        runsScripts: Bool = true,
        viewport: Viewport = .desktop,
        colorScheme: ColorScheme = .light
    ) {
        self.language = language
        self.runsScripts = runsScripts
        self.viewport = viewport
        self.colorScheme = colorScheme
    }

    /// Returns the body of the New Session command.
    func capabilities(for engine: BrowserEngine) -> JSON {
        guard engine == .chromium else { return Self.webKitCapabilities }
        var arguments = ["--headless=new", "--remote-debugging-pipe", "--lang=\(language)", "--hide-scrollbars"]
        // Chromium's sandbox refuses to run as root, and containers often limit /dev/shm to 64 MB.
        if geteuid() == 0 { arguments += ["--no-sandbox", "--disable-dev-shm-usage"] }
        var preferences: [String: JSON] = ["intl.accept_languages": .string(language)]
        if !runsScripts { preferences["profile.managed_default_content_settings.javascript"] = 2 }
        return [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome",
                    "acceptInsecureCerts": .bool(acceptsAnyCertificate),
                    "unhandledPromptBehavior": "ignore",
                    // In milliseconds, for a machine under load.
                    "timeouts": ["script": 300_000, "pageLoad": 300_000],
                    "goog:loggingPrefs": ["browser": "ALL"],
                    "goog:chromeOptions": [
                        "args": .array(arguments.map(JSON.string)),
                        "prefs": .object(preferences),
                    ],
                ]
            ]
        ]
    }

    private static var webKitCapabilities: JSON {
        [
            "capabilities": [
                "alwaysMatch": [
                    "unhandledPromptBehavior": "ignore",
                    "timeouts": ["script": 300_000, "pageLoad": 300_000],
                ]
            ]
        ]
    }
}
