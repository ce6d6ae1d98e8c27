import BrowseKit
import Crypto
import Foundation
import Logging
import RedisStores

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

    let address: (host: String, port: Int)
    let logLevel: Logger.Level
    let redis: RedisStores?
    private(set) var site = SiteConfiguration()
    private let environment: [String: String]

    init(_ arguments: some Collection<String>, environment: [String: String]) throws(Problem) {
        // Compose files set missing variables to empty texts, and secrets from files end in a line break.
        let environment = environment.mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.value.isEmpty }
        self.environment = environment
        func read<Value>(_ name: String, _ kind: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
            guard let text = environment[name] else { return nil }
            guard let value = parse(text) else { throw Problem(name, "must be \(kind)") }
            return value
        }
        func key(_ name: String) throws(Problem) -> SymmetricKey? {
            try read(name, "at least 32 bytes in base64; create it with: openssl rand -base64 32") { text in
                Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/"))
                    .flatMap { $0.count >= 32 ? SymmetricKey(data: $0) : nil }
            }
        }
        if let unknown = arguments.first(where: { $0 != "--live" }) {
            throw Problem(unknown, "isn't an argument: apart from --live, settings are environment variables")
        }
        let isLive = arguments.contains("--live")
        let port = try read("PORT", "a port") { UInt16($0).map(Int.init) } ?? 8080
        address =
            try read("WEB_ADDRESS", "a host and a port, such as 127.0.0.1:8080") { text in
                guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
                    let port = UInt16(text[text.index(after: colon)...])
                else { return nil }
                return (text[..<colon].trimmingCharacters(in: ["[", "]"]), Int(port))
            } ?? ("127.0.0.1", port)
        let levels = "trace, debug, info, notice, warning, error, or critical"
        logLevel = try read("WEB_LOG_LEVEL", levels) { Logger.Level(rawValue: $0) } ?? .info
        let wait = try read("WEB_LONGEST_WAIT", "a number from 1 to 3600") { text in
            Int(text).flatMap { (1...3_600).contains($0) ? Duration.seconds($0) : nil }
        }
        if let wait { site.limits.loading = wait }
        // A random key suits a single process: visitors lose their sessions when it ends.
        site.signer = Signer(
            key: try key("WEB_SIGNING_KEY") ?? SymmetricKey(size: .bits256),
            previousKey: try key("WEB_SIGNING_KEY_PREVIOUS")
        )
        let tokenKey = try key("WEB_TOKEN_KEY")
        if let text = environment["WEB_REDIS_URL"] {
            guard isLive else { throw Problem("WEB_REDIS_URL", "needs --live: the bundled data is in memory") }
            let server: RedisAddress
            do throws(RedisAddress.Problem) { server = try RedisAddress(text) } catch {
                throw Problem("WEB_REDIS_URL", "is \(error)")
            }
            for name in ["WEB_SIGNING_KEY", "WEB_TOKEN_KEY"] where environment[name] == nil { throw .missingKey(name) }
            guard let tokenKey, tokenKey.bitCount == 256 else {
                throw Problem("WEB_TOKEN_KEY", "must be 32 bytes in base64")
            }
            redis = RedisStores(
                durable: wait.map { RedisClient(server, timeout: $0) } ?? RedisClient(server),
                secret: tokenKey
            )
        } else {
            redis = nil
        }
        let names = site.hosts
        site.publicURL = try read("WEB_URL", "like https://example.org; http is for this machine only") { text in
            guard let url = URL(string: text), ["", "/"].contains(url.path()), url.query() == nil,
                url.host()?.isEmpty == false,
                url.scheme == "https" || url.scheme == "http" && names.contains(url.hostInAuthority)
            else { return nil }
            return URL(string: url.origin)
        }
        site.projectURL = try read("WEB_PROJECT_URL", "an https address") { text in
            URL(string: text).flatMap { $0.scheme == "https" && $0.host() != nil ? $0 : nil }
        }
        if let url = site.publicURL { site.hosts = [url.hostInAuthority] }
        if isLive { try goLive() }
    }

    private mutating func goLive() throws(Problem) {
        let key = "WEB_SIGNING_KEY"
        if site.publicURL?.scheme == "https", environment[key] == nil { throw .missingKey(key) }
        var live = Configuration().with { $0.userAgent = "BrowseKit example website" }
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
        let storage = live.storageFolder ?? Configuration.defaultStorageFolder
        let folder = storage.appending(path: "visitors", directoryHint: .isDirectory)
        site.stores = redis.map(SiteStores.redis) ?? .files(in: folder)
    }
}

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores) -> SiteStores {
        var stores = SiteStores { key in
            let user = UserStores(favorites: redis.favorites(of: key)) { redis.tokens(of: key, session: $0) }
            return VisitorStores(
                user: user,
                signIn: redis.pendingSignIn(of: key),
                star: redis.value(EarlyStar.self, named: "star", of: key, for: .seconds(900))
            ) {
                redis.shareStars(of: key, in: $0)
            }
        }
        stores.ids = redis.visitors
        stores.isReady = redis.isReady
        return stores
    }
}
