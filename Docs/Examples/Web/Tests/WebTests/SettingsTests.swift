import BrowseKit
import Crypto
import Foundation
import Logging
import RedisStores
import ServerStores
import Testing

@testable import WebApp

@Suite("Settings")
struct SettingsTests {
    private static let key = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    private static let redis = [
        "WEB_REDIS_URL": "redis://mona:pass@10.0.0.5", "WEB_SIGNING_KEY": key, "WEB_TOKEN_KEY": key,
    ]

    @Test("Without variables, the site is on this machine, with bundled data")
    func usual() throws {
        let settings = try Settings([], environment: ["WEB_URL": ""])
        #expect(settings.address.host == "127.0.0.1" && settings.address.port == 8080)
        #expect(settings.redis == nil && settings.logLevel == .info)
        #expect(settings.site.publicURL == nil && settings.site.hosts == ["127.0.0.1", "localhost", "[::1]"])
        guard case .fixtures = settings.site.source else { throw CancellationError() }
    }

    @Test("All variables together are the settings of a process of several")
    func several() throws {
        let environment = Self.redis.merging([
            "WEB_ADDRESS": "[::]:9000", "WEB_URL": "https://Example.org/",
            "WEB_LOG_LEVEL": "notice", "WEB_DATA": "/data", "GITHUB_URL": "https://github.example",
            "GITHUB_CLIENT_ID": "client", "GITHUB_CLIENT_SECRET": "client-secret",
        ]) { $1 }
        let settings = try Settings(["--live"], environment: environment)
        #expect(settings.address.host == "::" && settings.address.port == 9000)
        #expect(settings.logLevel == .notice && settings.redis != nil)
        #expect(settings.site.publicURL?.absoluteString == "https://example.org")
        #expect(settings.site.hosts == ["example.org"])
        guard case .live(let live) = settings.site.source else { throw CancellationError() }
        #expect(live.gitHub.app?.redirect?.absoluteString == "https://example.org/sign-in/callback")
        #expect(live.storageFolder?.path() == "/data/" && live.cacheFolder?.path() == "/data/cache/")
        #expect(live.gitHub.url.host() == "github.example" && live.gitHub.webURL.host() == "github.example")
    }

    @Test("White space around a value isn't part of it", arguments: ["\n", "\r\n", " "])
    func whiteSpace(space: String) throws {
        let values = Self.redis.merging(["GITHUB_CLIENT_ID": "client", "GITHUB_CLIENT_SECRET": "client-secret"]) { $1 }
        let environment = values.mapValues { space + $0 + space }.merging(["WEB_URL": space]) { $1 }
        let settings = try Settings(["--live"], environment: environment)
        guard case .live(let live) = settings.site.source else { throw CancellationError() }
        #expect(live.gitHub.app?.clientID == "client")
        #expect(try live.gitHub.app?.clientSecret == Secret("client-secret"))
    }

    @Test("The longest wait is that of pages, and of Redis; it's short by default")
    func waits() throws {
        func waits(_ additions: [String: String]) throws -> [Duration] {
            let settings = try Settings(["--live"], environment: Self.redis.merging(additions) { $1 })
            let redis = try #require(settings.redis)
            return [settings.site.limits.loading, redis.durable.timeout]
        }
        #expect(try waits([:]) == [.seconds(5), .milliseconds(500)])
        #expect(try waits(["WEB_LONGEST_WAIT": "7"]) == [.seconds(7), .seconds(7)])
    }

    @Test(
        "A mistake is reported with its variable, and without its value",
        arguments: [
            (["WEB_ADDRESS": "secret"], "WEB_ADDRESS"), (["WEB_ADDRESS": "127.0.0.1:70000"], "WEB_ADDRESS"),
            (["WEB_ADDRESS": ":80"], "WEB_ADDRESS"), (["PORT": "secret"], "PORT"),
            (["WEB_URL": "secret"], "WEB_URL"),
            (["WEB_URL": "http://example.org"], "WEB_URL"), (["WEB_URL": "https://example.org/secret"], "WEB_URL"),
            (["WEB_URL": "https://example.org?secret"], "WEB_URL"),
            (["WEB_SIGNING_KEY": "secret"], "WEB_SIGNING_KEY"), (["WEB_SIGNING_KEY": "MTIzNA=="], "WEB_SIGNING_KEY"),
            (["WEB_SIGNING_KEY_PREVIOUS": "secret"], "WEB_SIGNING_KEY_PREVIOUS"),
            (["WEB_LOG_LEVEL": "secret"], "WEB_LOG_LEVEL"), (["WEB_LONGEST_WAIT": "0"], "WEB_LONGEST_WAIT"),
            (["GITHUB_CLIENT_ID": "secret"], "GITHUB_CLIENT_ID"), (["GITHUB_URL": "secret"], "GITHUB_URL"),
            (["WEB_REDIS_URL": "rediss://:secret@10.0.0.5"], "stunnel"),
            (["WEB_REDIS_URL": "redis://10.0.0.5"], "WEB_SIGNING_KEY"),
            (redis.merging(["WEB_TOKEN_KEY": ""]) { $1 }, "WEB_TOKEN_KEY"),
            (["WEB_URL": "https://example.org"], "WEB_SIGNING_KEY"),
            (redis.merging(["WEB_TOKEN_KEY": "secret"]) { $1 }, "WEB_TOKEN_KEY"),
        ]
    )
    func mistakes(_ environment: [String: String], _ text: String) {
        let problem = #expect(throws: Settings.Problem.self) { try Settings(["--live"], environment: environment) }
        #expect(problem?.description.contains(text) == true && problem?.description.contains("secret") == false)
    }

    @Test("Redis needs the real services, and settings aren't arguments")
    func arguments() {
        let problem = #expect(throws: Settings.Problem.self) { try Settings([], environment: Self.redis) }
        #expect(problem?.description.contains("--live") == true)
        for argument in ["--port", "--redis", "live"] {
            #expect(throws: Settings.Problem.self) { try Settings(["--live", argument], environment: [:]) }
        }
    }

    @Test("The keys are in both alphabets of base64, and random without variables")
    func keys() throws {
        let bytes = [UInt8](repeating: 0xFB, count: 33)
        let base64 = Data(bytes).base64EncodedString()
        let (purpose, now) = (SignaturePurpose("test"), Date())
        let text = Signer(key: SymmetricKey(data: bytes)).sign("x", for: purpose)
        func accepts(_ environment: [String: String]) throws -> Bool {
            let signer = try Settings([], environment: environment).site.signer
            return signer.value(of: text, for: purpose, at: now) == "x"
        }
        for key in [base64, base64.replacing("+", with: "-").replacing("/", with: "_")] {
            #expect(try accepts(["WEB_SIGNING_KEY": key]))
            #expect(try accepts(["WEB_SIGNING_KEY": Self.key, "WEB_SIGNING_KEY_PREVIOUS": key]))
        }
        #expect(try !accepts([:]))
    }
}
