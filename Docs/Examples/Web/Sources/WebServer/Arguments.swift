import Crypto
import Foundation
import RedisStores

/// The arguments of the command, and the environment.
struct Arguments {
    /// An argument that can't be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        Usage: browse-web [--live] [--port PORT] [--redis HOST:PORT] [--github URL] [--longest-wait SECONDS]
          --live             uses the real services; sign-in needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET
          --port PORT        listens on this port, by default 8080 or that of PORT; 0 is any free port
          --redis HOST:PORT  with --live, shares everything with other processes that have the same keys in
                             WEB_SIGNING_KEY and WEB_TOKEN_KEY: create each with openssl rand -base64 32
          --github URL       uses GitHub's API and sign-in at this address
          --longest-wait SECONDS is the longest wait for the content of a page, by default 5, and for Redis, by default 1
        """

    private(set) var isLive = false
    private(set) var port = 8080
    private(set) var redis: RedisAddress?
    private(set) var gitHub: URL?
    /// The longest wait for the content of a page and for Redis; `nil` for the defaults.
    private(set) var longestWait: Duration?
    /// The key that encrypts stored tokens.
    private let tokenKey: Data?
    let clientID: String?
    let clientSecret: String?

    init(_ arguments: some Collection<String>, environment: [String: String]) throws(Problem) {
        tokenKey = environment["WEB_TOKEN_KEY"].flatMap { Data(base64Encoded: $0) }
        clientID = environment["GITHUB_CLIENT_ID"]
        clientSecret = environment["GITHUB_CLIENT_SECRET"]
        if let text = environment["PORT"], !text.isEmpty { port = try Self.port(text) }
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--live": isLive = true
            case "--port": port = try Self.port(rest.popFirst() ?? "")
            case "--redis":
                redis = RedisAddress(rest.popFirst() ?? "")
                guard redis != nil else { throw Problem(description: "Not an address: --redis HOST:PORT") }
            case "--github":
                gitHub = URL(string: rest.popFirst() ?? "")
                guard gitHub?.host() != nil else { throw Problem(description: "Not an address: --github URL") }
            case "--longest-wait":
                longestWait = Int(rest.popFirst() ?? "").flatMap { (1...3_600).contains($0) ? .seconds($0) : nil }
                guard longestWait != nil else { throw Problem(description: "Not 1 to 3600: --longest-wait SECONDS") }
            default: throw Problem(description: "Unknown argument: \(argument)")
            }
        }
    }

    /// The stores that several processes share; `nil` without `--redis`.
    var redisStores: RedisStores? {
        get throws(Problem) {
            guard let redis else { return nil }
            guard let tokenKey, tokenKey.count == 32 else {
                throw Problem(description: "--redis needs WEB_TOKEN_KEY: 32 bytes in base64")
            }
            let secret = SymmetricKey(data: tokenKey)
            guard let longestWait else { return RedisStores(RedisClient(redis), secret: secret) }
            return RedisStores(RedisClient(redis, timeout: longestWait), secret: secret, rateLimitTimeout: longestWait)
        }
    }

    private static func port(_ text: String) throws(Problem) -> Int {
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw Problem(description: "Not a port: \(text)")
        }
        return port
    }
}
