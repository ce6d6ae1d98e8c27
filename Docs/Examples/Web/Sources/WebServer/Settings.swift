import BrowseKit
import Crypto
import Foundation
import Logging
import RedisStores
import WebApp
import WebSupport

/// The settings of the process, from the environment. The README has a table of the variables.
struct Settings {
    /// A variable or an argument that can't be used. The text doesn't contain the value, which may be secret.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ name: String, _ problem: String) { description = "\(name) \(problem)" }

        static func missingKey(_ name: String) -> Problem {
            Problem(name, "is needed with --live and https or Redis; create it with: openssl rand -base64 32")
        }
    }

    /// An address to listen at.
    struct Address {
        let host: String
        let port: Int
    }

    let address: Address
    let logLevel: Logger.Level
    let redis: RedisStores?
    /// The settings of the site.
    private(set) var site = SiteConfiguration()
    private let environment: [String: String]

    init(_ arguments: some Collection<String>, environment: [String: String]) throws(Problem) {
        // Compose files set missing variables to empty texts.
        let environment = environment.filter { !$0.value.isEmpty }
        self.environment = environment
        if let unknown = arguments.first(where: { $0 != "--live" }) {
            throw Problem(unknown, "isn't an argument: apart from --live, settings are environment variables")
        }
        let isLive = arguments.contains("--live")
        let port = try Self.number("PORT", in: environment, 0...65_535) ?? 8080
        address = try Self.address("WEB_ADDRESS", in: environment) ?? Address(host: "127.0.0.1", port: port)
        let level = environment["WEB_LOG_LEVEL"].map { Logger.Level(rawValue: $0) } ?? .info
        guard let level else {
            throw Problem("WEB_LOG_LEVEL", "must be trace, debug, info, notice, warning, error, or critical")
        }
        logLevel = level
        let wait = try Self.number("WEB_LONGEST_WAIT", in: environment, 1...3_600).map(Duration.seconds)
        if let wait { site.limits.loading = wait }
        // A random key suits a single process: visitors lose their sessions when it ends.
        site.signer = Signer(
            key: try Self.key("WEB_SIGNING_KEY", in: environment) ?? SymmetricKey(size: .bits256),
            previousKey: try Self.key("WEB_SIGNING_KEY_PREVIOUS", in: environment)
        )
        redis = try Self.redis(isLive, wait, environment)

        if let text = environment["WEB_URL"] {
            guard let url = URL(string: text), ["", "/"].contains(url.path()), url.query() == nil,
                url.host()?.isEmpty == false,
                url.scheme == "https" || url.scheme == "http" && site.hosts.contains(url.hostInAuthority)
            else { throw Problem("WEB_URL", "must be like https://example.org; http is for this machine only") }
            site.publicURL = URL(string: url.origin)
            site.hosts = [url.hostInAuthority]
        }
        let hosts = (environment["WEB_HOSTS"] ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard hosts.allSatisfy({ $0.wholeMatch(of: /[a-z0-9._-]+|\[[0-9a-f:.]+\]/) != nil }) else {
            throw Problem("WEB_HOSTS", "must be names without ports, such as www.example.org, separated by commas")
        }
        site.hosts.formUnion(hosts)
        if isLive { try goLive() }
    }

    /// Uses the real services.
    private mutating func goLive() throws(Problem) {
        let key = "WEB_SIGNING_KEY"
        if site.publicURL?.scheme == "https", environment[key] == nil { throw .missingKey(key) }
        var live = Configuration(userAgent: "BrowseKit example website")
        live.requestConcurrency = 32
        if let text = environment["WEB_DATA"] {
            let folder = URL(filePath: text, directoryHint: .isDirectory)
            live.storageFolder = folder
            live.cacheFolder = folder.appending(path: "cache", directoryHint: .isDirectory)
        }
        if let text = environment["GITHUB_URL"] {
            guard let url = URL(string: text), url.host() != nil else {
                throw Problem("GITHUB_URL", "must be an address")
            }
            (live.gitHub.url, live.gitHub.webURL) = (url, url)
        }
        let secret = environment["GITHUB_CLIENT_SECRET"].flatMap { try? Secret($0) }
        switch (environment["GITHUB_CLIENT_ID"], secret) {
        case (let id?, let secret?):
            let origin = site.publicURL ?? URL(string: "http://127.0.0.1:\(address.port)")
            live.gitHub.app = OAuthApp.gitHub(
                clientID: id,
                clientSecret: secret,
                redirect: origin?.appending(path: "sign-in/callback")
            )
        case (nil, nil): break
        default: throw Problem("GITHUB_CLIENT_ID", "and GITHUB_CLIENT_SECRET are needed together")
        }
        do { try live.validate() } catch { throw Problem("The settings", "aren't valid: \(error)") }
        site.source = .live(live)
        // What they store is read again when they return.
        site.limits.visitorTicks = 12
        let folder = (live.storageFolder ?? Configuration.defaultStorageFolder).appending(
            path: "visitors",
            directoryHint: .isDirectory
        )
        site.stores = redis.map(SiteStores.redis) ?? .files(in: folder)
    }

    /// Returns the stores that several processes share; `nil` without `WEB_REDIS_URL`.
    private static func redis(
        _ isLive: Bool,
        _ wait: Duration?,
        _ environment: [String: String]
    ) throws(Problem) -> RedisStores? {
        let name = "WEB_REDIS_URL"
        guard let durable = try server(name, in: environment) else { return nil }
        guard isLive else { throw Problem(name, "needs --live: the bundled data is in memory") }
        for name in ["WEB_SIGNING_KEY", "WEB_TOKEN_KEY"] where environment[name] == nil {
            throw .missingKey(name)
        }
        guard let key = try key("WEB_TOKEN_KEY", in: environment), key.bitCount == 256 else {
            throw Problem("WEB_TOKEN_KEY", "must be 32 bytes in base64")
        }
        let client = RedisClient(durable, timeout: wait ?? .seconds(1), readTimeout: wait ?? .milliseconds(250))
        return RedisStores(durable: client, secret: key)
    }

    private static func key(_ name: String, in environment: [String: String]) throws(Problem) -> SymmetricKey? {
        guard let text = environment[name] else { return nil }
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: base64), data.count >= 32 else {
            throw Problem(name, "must be at least 32 bytes in base64; create it with: openssl rand -base64 32")
        }
        return SymmetricKey(data: data)
    }

    private static func server(_ name: String, in environment: [String: String]) throws(Problem) -> RedisAddress? {
        guard let text = environment[name] else { return nil }
        do throws(RedisAddress.Problem) { return try RedisAddress(text) } catch {
            throw Problem(name, "is \(error)")
        }
    }

    private static func address(_ name: String, in environment: [String: String]) throws(Problem) -> Address? {
        guard let text = environment[name] else { return nil }
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port)
        else { throw Problem(name, "must be a host and a port, such as 127.0.0.1:8080") }
        return Address(host: text[..<colon].trimmingCharacters(in: ["[", "]"]), port: port)
    }

    private static func number(
        _ name: String,
        in environment: [String: String],
        _ range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let text = environment[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
