package import ArgumentParser
import BrowseData
import BrowseDomain
package import BrowseKit
package import BrowseMocks
package import Foundation

/// The options that every command has.
package struct CommonOptions: ParsableArguments {
    @Flag(help: "Ask the real services instead of the bundled data.")
    package var live: Bool = false

    // A text until it is checked: the parser would repeat a refused value, and with it a password.
    @Option(
        help: ArgumentHelp("Ask the server at this address instead, such as https://HOST/api/v3.", valueName: "url")
    )
    package var baseURL: String?

    @Option(
        help: ArgumentHelp(
            "The name of an environment variable that holds a token for GitHub.",
            discussion:
                "A token itself is never taken as an argument, where other users of the computer could read it.",
            valueName: "variable"
        )
    )
    package var tokenEnv: String?

    @Option(
        help: ArgumentHelp(
            "The OAuth app to sign in by.",
            discussion: "BROWSE_CLIENT_ID unless given. The bundled data takes any.",
            valueName: "client id"
        )
    )
    package var clientID: String?

    @Option(help: ArgumentHelp("The language: en, ko, or any locale. From LC_ALL, LC_MESSAGES or LANG unless given."))
    package var locale: String?

    @Option(help: "What the bundled data does, to see how failures look (default: normal).")
    package var scenario: ScenarioName?

    @Option(help: ArgumentHelp("The longest time for one answer, in seconds.", valueName: "seconds"))
    package var timeout: Double = 30

    @Option(help: ArgumentHelp("How many pages are loaded at once with --all, 1 to 100.", valueName: "pages"))
    package var concurrency: Int = 4

    @Option(
        help: ArgumentHelp(
            "Where favourites, the sign-in and what was seen are kept.",
            discussion: "BROWSE_STORAGE unless given; else the bundled data forgets them at the end of the run.",
            valueName: "folder"
        )
    )
    package var storage: String?

    @Flag(
        help: ArgumentHelp(
            "Show what was seen before, and ask the server only when it was not.",
            discussion:
                "It is all as it was seen, or all new: when a part of what you ask for is missing, everything is asked for."
        )
    )
    package var cached: Bool = false

    @Flag(help: "Show what was seen before, and send nothing at all.")
    package var offline: Bool = false

    @Flag(help: "Tell on the error output what happens to each request, as it happens; no bodies and no secrets.")
    package var verbose: Bool = false

    @Flag(help: "Write one JSON object for programs, also on a terminal.")
    package var json: Bool = false

    @Option(help: "When to use colours.")
    package var color: ColorChoice = .auto

    package init() {}

    package func validate() throws {
        guard scenario == nil || !isLive else {
            throw ValidationError("--scenario is for the bundled data; it can't go with --live or --base-url.")
        }
        guard !offline || !cached else {
            throw ValidationError("--cached asks the server for what was not seen before, --offline never; choose one.")
        }
        guard !offline || scenario == nil else {
            throw ValidationError("--scenario says how the bundled data answers; with --offline it is not asked.")
        }
        guard !live || baseURL == nil else {
            throw ValidationError("--live and --base-url name two servers; choose one.")
        }
        _ = try address()
        guard storage?.isEmpty != true else { throw ValidationError("--storage takes the path of a folder.") }
        guard timeout.isFinite, timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes a number of seconds above 0, at most 86400.")
        }
        guard (1...100).contains(concurrency) else {
            throw ValidationError("--concurrency takes a number from 1 to 100.")
        }
    }

    /// Refuses to look at what was seen before, for commands that have to ask.
    ///
    /// - Throws: `ValidationError`.
    func needsServer() throws {
        guard !offline, !cached else {
            throw ValidationError("This command asks the server; it can't go with --cached or --offline.")
        }
    }

    /// Whether requests leave the computer, or could.
    package var isLive: Bool { live || baseURL != nil }

    /// The address of the API.
    ///
    /// - Throws: `ValidationError`, which ``validate()`` has looked for.
    package func address() throws -> URL {
        try baseURL.map(BaseURL.parse) ?? Configuration.publicGitHub
    }

    /// The scenario of the bundled data; `nil` asks a server.
    package var offlineScenario: Scenario? { isLive ? nil : (scenario ?? .normal).scenario(now: Date()) }

    /// The reader's language and habits.
    package func readerLocale(_ environment: [String: String]) -> Locale {
        Locale(identifier: locale ?? ReaderLocale.identifier(in: environment))
    }

    /// Where people sign in: beside the API.
    private func webAddress(of api: URL) -> URL {
        guard api != Configuration.publicGitHub, var parts = URLComponents(url: api, resolvingAgainstBaseURL: false)
        else {
            return Configuration.publicGitHubWeb
        }
        parts.path = ""
        return parts.url ?? api
    }

    /// The app to sign in by; `nil` when none was named.
    private func app(_ environment: [String: String]) -> OAuthApp? {
        let id = clientID ?? environment["BROWSE_CLIENT_ID"] ?? ""
        return id.isEmpty ? nil : OAuthApp(clientID: id)
    }

    /// Where favorites and the sign-in are kept; `nil` leaves it to the SDK.
    package func storageFolder(_ environment: [String: String]) -> URL? {
        let path = storage ?? environment["BROWSE_STORAGE"] ?? ""
        return path.isEmpty ? nil : URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Where responses are kept; `nil` leaves it to the SDK. Made-up ones are not to be shown as those of the real services.
    private func cacheFolder(_ environment: [String: String]) -> URL? {
        isLive ? nil : storageFolder(environment)?.appending(path: "bundled", directoryHint: .isDirectory)
    }

    /// What the options and the environment decide about the SDK.
    ///
    /// - Throws: ``Token/Problem``, or what ``address()`` throws.
    package func configuration(_ environment: [String: String]) throws -> Configuration {
        let url = try address()
        return Configuration(
            gitHubURL: url,
            gitHubWebURL: webAddress(of: url),
            gitHubApp: app(environment),
            gitHubToken: try tokenEnv.map { try Token.read($0, from: environment, for: url) },
            rickAndMortyURL: baseURL == nil ? Configuration.publicRickAndMorty : url,
            appStoreURL: baseURL == nil ? Configuration.publicAppStore : url,
            userAgent: "BrowseKit-Terminal",
            limits: HTTPLimits(duration: .seconds(timeout)),
            // One answer is all that a run gives: the best that can be had.
            loadPolicy: offline ? .offline : .freshElseCached,
            cacheFolder: cacheFolder(environment),
            imageLimits: ImageLimits(request: HTTPLimits(bodyBytes: 10 << 20, duration: .seconds(timeout))),
            pageConcurrency: concurrency,
            storageFolder: storageFolder(environment),
            locale: readerLocale(environment)
        )
    }
}
