import BrowseCore
import BrowseData
import Foundation

/// The settings of the service.
public nonisolated struct LettersSettings: ServiceSettings {
    /// The name in problems, and of the keychain item.
    public static let name = "Letters"

    // The string is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of the API and of the OAuth server.
    public var url = URL(string: "https://letters.example")!
    /// The app as registered with the service; `nil` offers no sign-in.
    public var app: OAuthApp?

    /// Creates the settings of the public service.
    public init() {}

    /// Returns the API.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = HTTPClient.Service.json(baseURL: url, userAgent: configuration.userAgent)
        service.carriesSecrets = true
        service.evidence = .json(realm: "Letters")
        return service
    }

    var server: OAuthServer {
        OAuthServer(
            page: url.appending(path: "authorize"),
            token: "/token",
            deviceCode: "/device/code",
            revocation: "/revoke"
        )
    }
}

nonisolated extension Configuration {
    /// The settings of the service.
    public var letters: LettersSettings {
        get { self[LettersSettings.self] }
        set { self[LettersSettings.self] = newValue }
    }
}

nonisolated extension Texts.Service {
    /// The service in messages.
    public static let letters = Texts.Service(name: Phrase("letters.name", "Letters", ko: "편지"))
}
