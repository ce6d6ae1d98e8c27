import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct `A configuration` {
    private static let password = "hunter2-hunter2"

    private static func configuration(_ change: (inout Configuration) -> Void) -> Configuration {
        var configuration = Configuration()
        configuration.retries = .never
        change(&configuration)
        return configuration
    }

    private static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

    private static let app = OAuthApp.gitHub(clientID: "client", redirect: url("app:/signed-in"))

    private static let invalid: [(Configuration, Configuration.Problem)] =
        [
            ("https://mona:hunter2-hunter2@api.example", .userInfo), ("https://mona@api.example", .userInfo),
            ("https://:hunter2-hunter2@api.example", .userInfo), ("https://@api.example", .userInfo),
            ("ftp://api.example", .unsupportedScheme), ("api.example", .unsupportedScheme),
            ("HTTPS://api.example", .unsupportedScheme), ("file:///api", .unsupportedScheme),
            ("https:///api", .missingHost), ("https://api.example:99999999999999999999", .missingHost),
            ("https://api.example?token=hunter2-hunter2", .queryOrFragment),
            ("https://api.example/#a", .queryOrFragment),
            ("https://api.example/?", .queryOrFragment), ("https://api.example/a/../b", .ambiguousPath),
            ("https://api.example/%2e%2e", .ambiguousPath), ("https://api.example/a%2f..%2fb", .ambiguousPath),
            ("https://api.example//a", .ambiguousPath),
        ].flatMap { (text: String, problem: HTTPClient.Service.Problem) in
            [
                (configuration { $0.gitHub.url = url(text) }, .baseURL(service: "GitHub", problem)),
                (configuration { $0.gitHub.webURL = url(text) }, .baseURL(service: "GitHub sign-in", problem)),
                (configuration { $0.rickAndMorty.url = url(text) }, .baseURL(service: "Rick and Morty", problem)),
                (configuration { $0.appStore.url = url(text) }, .baseURL(service: "App Store", problem)),
            ]
        }
        + ["http://api.example", "http://10.0.0.1", "http://localhost.example", "http://127.0.0.1.example"].flatMap {
            text in
            [
                (
                    configuration {
                        $0.gitHub.url = url(text)
                        $0.gitHub.token = try? Secret(password)
                    }, .baseURL(service: "GitHub", .insecureConnection)
                ),
                (
                    configuration {
                        $0.gitHub.url = url(text)
                        $0.gitHub.app = app
                    }, .baseURL(service: "GitHub", .insecureConnection)
                ),
                (
                    configuration {
                        $0.gitHub.webURL = url(text)
                        $0.gitHub.app = app
                    }, .baseURL(service: "GitHub sign-in", .insecureConnection)
                ),
            ]
        } + [
            (configuration { $0.userAgent = "" }, .userAgent),
            (configuration { $0.userAgent = "a\r\nX: y" }, .userAgent),
            // AFNetworking/AFNetworking#1195, castle/castle-android#29
            (configuration { $0.userAgent = "깃허브/1.0" }, .userAgent),
            (configuration { $0.gitHub.app = OAuthApp.gitHub(clientID: "") }, .clientID),
            (configuration { $0.gitHub.app = OAuthApp.gitHub(clientID: "a b") }, .clientID),
            (configuration { $0.gitHub.app = OAuthApp.gitHub(clientID: "a", redirect: url("app:/x#y")) }, .redirect),
            (
                configuration {
                    $0.gitHub.app = OAuthApp.gitHub(clientID: "a", redirect: url("https://mona@app.example/"))
                },
                .redirect
            ),
            (configuration { $0.storageFolder = url("https://app.example/") }, .folder),
            (configuration { $0.cacheFolder = url("https://app.example/") }, .folder),
        ]

    @Test(arguments: invalid)
    func `names the problem of invalid values without revealing them`(
        configuration: Configuration,
        problem: Configuration.Problem
    ) {
        #expect(throws: problem) { try configuration.validate() }
        var dumped = ""
        dump(problem, to: &dumped)
        #expect(!"\(problem) \(String(reflecting: problem)) \(dumped)".contains("hunter2"))
        #expect("\(problem)" == problem.localizedDescription && "\(problem)".hasSuffix("."))
    }

    @Test(arguments: invalid)
    func `prevents requests to a service that is invalid`(configuration: Configuration, problem: Configuration.Problem)
        async throws
    {
        guard case .baseURL(let service, _) = problem else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = configuration
        configuration.storageFolder = folder
        configuration.gitHub.app = Self.app
        let container = Container(configuration)
        let transport = StubTransport { request throws(BrowseError) in
            HTTPClient.Response(status: 200, headers: ["ETag": "\"1\""], body: Data("{}".utf8), url: request.url)
        }
        container.transport.override { _ in transport }
        container.gitHubTokenStore.override { _ in InMemoryTokenStore(nil) }
        let error = await #expect(throws: BrowseError.self) {
            switch service {
            case "GitHub": _ = try await container.userRepository().profile(of: GitHub.Login("octocat"))
            case "GitHub sign-in": _ = try await container.gitHubAuthorizationRepository().deviceCode()
            case "Rick and Morty": _ = try await container.characterRepository().page(of: .init(), at: nil)
            default:
                let term = try AppStore.SearchTerm("a")
                _ = try await container.appRepository().search(for: term, in: .init(country: .unitedStates), limit: 1)
            }
        }
        guard case .refused(.invalidConfiguration, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.isEmpty)
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [] {
            let data = try? Data(contentsOf: folder.appending(path: name))
            #expect(data?.range(of: Data("hunter2".utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: [
        configuration { _ in },
        configuration {
            $0.gitHub.url = url("https://ghe.example/api/v3/")
            $0.gitHub.webURL = url("https://ghe.example")
            $0.gitHub.app = app
            $0.gitHub.token = try? Secret(password)
        },
        configuration {
            $0.gitHub.url = url("http://127.0.0.1:8080/api")
            $0.gitHub.webURL = url("http://localhost:8080")
            $0.gitHub.app = app
        },
        configuration { $0.gitHub.url = url("http://[::1]:8080") },
        configuration { $0.gitHub.url = url("http://ghe.example") },
        configuration { $0.gitHub.webURL = url("http://ghe.example") },
        configuration { $0.userAgent = "App/1.0 (mona@app.example)" },
    ])
    func `accepts valid values`(configuration: Configuration) throws {
        try configuration.validate()
    }

    /// cli/cli#7102, github/copilot-cli#2503
    @Test(arguments: [
        ("https://github.com", "https://api.github.com", "https://github.com"),
        ("https://www.github.com/octocat?tab=stars#a", "https://api.github.com", "https://github.com"),
        ("https://api.github.com/", "https://api.github.com", "https://github.com"),
        ("https://acme.ghe.com", "https://api.acme.ghe.com", "https://acme.ghe.com"),
        ("https://API.acme.ghe.com", "https://api.acme.ghe.com", "https://acme.ghe.com"),
        ("https://github.example.com", "https://github.example.com/api/v3", "https://github.example.com"),
        ("https://ghe.example:8443/api/v3/", "https://ghe.example:8443/api/v3", "https://ghe.example:8443"),
        ("https://api.ghe.example", "https://api.ghe.example/api/v3", "https://api.ghe.example"),
        ("https://notgithub.com", "https://notgithub.com/api/v3", "https://notgithub.com"),
        ("https://github.example.co/", "https://github.example.co/api/v3", "https://github.example.co"),
        ("https://GITHUB.Example.CO", "https://github.example.co/api/v3", "https://github.example.co"),
        ("https://github.example.co/login", "https://github.example.co/api/v3", "https://github.example.co"),
        ("https://github.example.co/api/v3/", "https://github.example.co/api/v3", "https://github.example.co"),
        ("https://company.ghe.com/", "https://api.company.ghe.com", "https://company.ghe.com"),
        ("https://COMPANY.ghe.com", "https://api.company.ghe.com", "https://company.ghe.com"),
        ("HTTPS://github.example.co", "https://github.example.co/api/v3", "https://github.example.co"),
    ])
    func `derives the addresses of a GitHub server from one of them`(server: String, api: String, web: String) throws {
        let settings = GitHubSettings(server: Self.url(server))
        #expect(settings.url.absoluteString == api && settings.webURL.absoluteString == web)
        #expect(SessionName("GitHub", at: settings.url) == SessionName("GitHub", at: Self.url(api)))
        #expect(GitHubSettings(server: settings.url).url == settings.url)
        #expect(GitHubSettings(server: settings.webURL).webURL == settings.webURL)
        try Configuration().with { $0.gitHub = settings }.validate()
        let standard = GitHubSettings()
        if api == "https://api.github.com" {
            #expect(settings.url == standard.url && settings.webURL == standard.webURL)
        }
    }

    @Test(arguments: ["ftp://company.example", "ghe.example", "company.ghe.com", "https://mona@ghe.example", "/"])
    func `reports an invalid address of a GitHub server`(server: String) {
        let problem = #expect(throws: Configuration.Problem.self) {
            try Configuration().with { $0.gitHub = GitHubSettings(server: Self.url(server)) }.validate()
        }
        guard !["https://mona@ghe.example", "/"].contains(server) else { return }
        #expect(problem == .baseURL(service: "GitHub", .unsupportedScheme))
    }
}
