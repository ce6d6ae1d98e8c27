import ArgumentParser
import BrowseData
import BrowseKit
import BrowseMocks
import Foundation

/// The options of all commands.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Use the real services instead of bundled data.")
    var live: Bool = false

    // Parsed during validation: the parser would repeat an invalid value, including a password.
    @Option(help: ArgumentHelp("Use the server at this URL, such as https://HOST/api/v3.", valueName: "url"))
    var baseURL: String?

    @Option(
        help: ArgumentHelp(
            "The name of an environment variable that contains a GitHub token.",
            discussion: "The token itself can't be an argument, because other users of this computer could read it.",
            valueName: "variable"
        )
    )
    var tokenEnv: String?

    @Option(
        help: ArgumentHelp(
            "The OAuth app for signing in (default: BROWSE_CLIENT_ID). Bundled data needs none.",
            valueName: "client id"
        )
    )
    var clientID: String?

    @Option(help: "The language: en, ko, or any locale (default: LC_ALL, LC_MESSAGES, or LANG).")
    var locale: String?

    @Option(help: "The behavior of the bundled data (default: normal).")
    var scenario: ScenarioName?

    @Option(help: ArgumentHelp("The time limit of a response.", valueName: "seconds"))
    var timeout: Double = 15

    @Option(help: ArgumentHelp("The number of pages to load at a time with --all, from 1 to 100.", valueName: "pages"))
    var concurrency: Int = 4

    @Option(
        help: ArgumentHelp(
            "The folder for favorites, the sign-in, and cached data (default: BROWSE_STORAGE).",
            discussion: "Without a folder, bundled data isn't saved, and each server has a folder of its own.",
            valueName: "folder"
        )
    )
    var storage: String?

    @Flag(help: "Show cached data if all of it is cached; otherwise load all of it.")
    var cached: Bool = false

    @Flag(help: "Show cached data only, without network access.")
    var offline: Bool = false

    @Flag(help: "Log each request to the error output, without bodies and secrets.")
    var verbose: Bool = false

    @Flag(help: "Write a JSON object.")
    var json: Bool = false

    @Flag(help: "Write tables and pages to files and pipes, too.")
    var table: Bool = false

    @Option(help: "When to use colors.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard scenario == nil || !isLive else {
            throw ValidationError("--scenario requires bundled data; don't combine it with --live or --base-url.")
        }
        guard !offline || !cached else { throw ValidationError("Don't combine --cached with --offline.") }
        guard !offline || scenario == nil else { throw ValidationError("Don't combine --scenario with --offline.") }
        guard !live || baseURL == nil else { throw ValidationError("Don't combine --live with --base-url.") }
        guard !json || !table else { throw ValidationError("Don't combine --json with --table.") }
        _ = try gitHubURL()
        guard storage?.isEmpty != true else { throw ValidationError("--storage requires the path of a folder.") }
        guard timeout.isFinite, timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout requires a number of seconds above 0, up to 86400.")
        }
        guard (1...100).contains(concurrency) else {
            throw ValidationError("--concurrency requires a number from 1 to 100.")
        }
    }

    /// Rejects options for cached data.
    ///
    /// - Throws: `ValidationError`.
    func requireServer() throws {
        guard !offline, !cached else {
            throw ValidationError("This command needs the server; don't combine it with --cached or --offline.")
        }
    }

    /// Whether requests use the network.
    var isLive: Bool { live || baseURL != nil }

    /// Returns the URL of the GitHub API.
    ///
    /// - Throws: `ValidationError`.
    private func gitHubURL() throws -> URL {
        try baseURL.map(BaseURL.parse) ?? GitHubSettings().url
    }

    /// The scenario of the bundled data; `nil` for a server.
    var offlineScenario: Scenario? { isLive ? nil : (scenario ?? .normal).scenario(now: Date()) }

    /// Returns the reader's locale.
    func readerLocale(_ environment: [String: String]) -> Locale {
        Locale(identifier: locale ?? SystemLocale.identifier(in: environment))
    }

    /// Returns the configuration of the SDK.
    ///
    /// - Throws: ``Token/Problem``, or `ValidationError`.
    func configuration(_ environment: [String: String]) throws -> Configuration {
        let url = try gitHubURL()
        let clientID = clientID ?? environment["BROWSE_CLIENT_ID"] ?? ""
        let path = storage ?? environment["BROWSE_STORAGE"] ?? ""
        let storageFolder = path.isEmpty ? nil : URL(filePath: path, directoryHint: .isDirectory)
        var configuration = Configuration().with {
            $0.userAgent = "BrowseKit-Terminal"
            $0.storageFolder = storageFolder
            $0.locale = readerLocale(environment)
        }
        configuration.limits.duration = .seconds(timeout)
        configuration.retries.deadline = max(configuration.retries.deadline, .seconds(timeout))
        configuration.imageLimits.request = HTTPLimits(bodyBytes: 10 << 20, duration: .seconds(timeout))
        configuration.pageConcurrency = concurrency
        // A run shows one state.
        configuration.loadPolicy = offline ? .offline : .freshElseCached
        // Separates bundled responses from those of the real services.
        if !isLive {
            configuration.cacheFolder = storageFolder?.appending(path: "bundled", directoryHint: .isDirectory)
        }
        configuration.gitHub.url = url
        // `api.` isn't part of the website's host on github.com and ghe.com.
        configuration.gitHub.webURL = GitHubSettings(server: url).webURL
        configuration.gitHub.app = clientID.isEmpty ? nil : OAuthApp.gitHub(clientID: clientID)
        configuration.gitHub.token = try tokenEnv.map { try Token.read($0, from: environment, for: url) }
        if baseURL != nil {
            configuration.rickAndMorty.url = url
            configuration.appStore.url = url
            if storageFolder == nil {
                let name = folderName(of: url)
                configuration.storageFolder = Configuration.defaultStorageFolder.appending(path: name)
                configuration.cacheFolder = Configuration.defaultCacheFolder.appending(path: name)
            }
        }
        do throws(Configuration.Problem) {
            try configuration.validate()
        } catch {
            throw ValidationError(error.localizedDescription)
        }
        return configuration
    }

    /// Returns the name of a server's own folder: its host, and its port unless it's the default one.
    private func folderName(of url: URL) -> String {
        let host = url.host()?.lowercased() ?? ""
        guard let port = url.port, port != (url.scheme?.lowercased() == "http" ? 80 : 443) else { return host }
        return "\(host):\(port)"
    }
}
