import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

/// Searches all output, files, and requests of the SDK for a recognizable token.
@MainActor @Suite(.bounded)
struct `Access token` {
    private let canary = "gho_" + String(repeating: "Zq7Xk", count: 8)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "canary-\(UUID().uuidString)")

    /// A server that accepts the token, responds to all endpoints, and repeats requests in its errors.
    private func server(refuses: @escaping @Sendable () -> Bool) throws -> LoopbackServer {
        let token = canary
        let gitHub = OfflineGitHub()
        return try LoopbackServer { request in
            if request.target == "/login/oauth/access_token" {
                return .json(#"{"access_token":"\#(token)","token_type":"bearer","scope":"repo"}"#)
            }
            if refuses() {
                let echo = request.header("Authorization") ?? ""
                return .json(
                    #"{"message":"No: \#(echo)","\#(echo)":1}"#,
                    status: 500,
                    headers: [("X-GitHub-Request-Id", echo)]
                )
            }
            var sent = HTTPClient.Request(
                method: HTTPMethod(rawValue: request.method) ?? .get,
                url: URL(string: "http://127.0.0.1" + request.target) ?? URL(filePath: "/"),
                endpoint: ""
            )
            sent.headers["Authorization"] = request.header("Authorization")
            sent.body = Data(request.body)
            let waiting = BlockingWait()
            let result = waiting.wait { [sent] in await gitHub.respond(to: sent) }
            guard case .success(let response) = result else { return LoopbackResponse(status: 500) }
            let fields = response.headers.fields.map { ($0.key, $0.value) }
            return LoopbackResponse(status: response.status, headers: fields, body: Array(response.body))
        }
    }

    @Test func `isn't revealed in messages, logs, files, or other servers' requests`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let refuses = Mutex(false)
        let isRefusing = { @Sendable in refuses.withLock { $0 } }
        let server = try server(refuses: isRefusing)
        let other = try LoopbackServer { _ in .json("[]") }
        let evidence = LeakEvidence()
        let url = try #require(URL(string: server.origin))
        var configuration = Configuration(storageFolder: folder, locale: Locale(identifier: "en_US"))
        (configuration.gitHub.url, configuration.gitHub.webURL) = (url, url)
        configuration.gitHub.app = OAuthApp.gitHub(clientID: "a", redirect: URL(string: "app.browsekit:/signed-in"))
        let container = Container(configuration)
        container.gitHubTokenStore.override {
            FileTokenStore(folder: folder, name: SessionName("GitHub", at: $0.configuration.gitHub.url))
        }

        let signIn = container.gitHubSignInViewModel()
        guard case .webPage(let page) = signIn.signInByBrowser() else { throw BrowseError.cancelled }
        let state = try #require(URLComponents(string: page.rawValue)?.queryItems?.first { $0.name == "state" }?.value)
        let callback = try #require(URL(string: "app.browsekit:/signed-in?code=abc&state=\(state)"))
        await signIn.finishSignIn(with: callback)
        evidence.add(signIn.state)
        guard case .signedIn = signIn.state else { throw BrowseError.cancelled }

        for fails in [false, true] {
            refuses.withLock { $0 = fails }
            await container.useGitHub(evidence)
            // A page on another origin gets no token, even if the server links to it.
            let foreign = PageCursor(rawValue: other.origin + "/users/octocat/repos?page=2")
            evidence.add(
                await outcome { () async throws(BrowseError) in
                    try await container.repoRepository().page(
                        of: .publicRepos(of: GitHub.Login("octocat")),
                        at: foreign
                    )
                }
            )
        }
        evidence.add(container)
        evidence.add(container.configuration)
        evidence.add(container.gitHubSession())
        evidence.add(try await container.gitHubTokenRepository().current() as Any)
        evidence.add(container.gitHubClient())
        #expect(evidence.count > 60)
        #expect(evidence.first(containing: String(canary.dropFirst(4).prefix(10))) == nil)

        // Sent only to its own server, in only one header field.
        #expect(other.requests.isEmpty)
        #expect(server.requests.contains { $0.header("Authorization") == "Bearer \(canary)" })
        for request in server.requests {
            let elsewhere = request.headers.filter { $0.name.lowercased() != "authorization" }
            #expect(!"\(request.target) \(elsewhere) \(String(decoding: request.body, as: UTF8.self))".contains(canary))
        }

        // Stored only in the session's file, which is deleted with the session.
        let holders = filesWithToken
        #expect(holders.count == 1 && holders.allSatisfy { $0.hasPrefix("session-_47it_48ub-http-127.0.0.1") })
        #expect(!cachedFiles(in: folder).isEmpty)
        refuses.withLock { $0 = false }
        try await container.gitHubSession().signOut()
        #expect(filesWithToken.isEmpty)
    }

    /// The paths of files that contain the token, relative to the folder.
    private var filesWithToken: [String] {
        let path = folder.path(percentEncoded: false)
        let files = FileManager.default.enumerator(atPath: path)?.map { "\($0)" } ?? []
        return files.filter {
            FileManager.default.contents(atPath: "\(path)/\($0)")?.range(of: Data(canary.utf8)) != nil
        }
    }
}
