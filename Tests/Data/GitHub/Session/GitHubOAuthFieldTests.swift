import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

import BrowseData

@Suite(.bounded) struct `OAuth responses` {
    private func repository(
        _ transport: any HTTPTransport,
        web: String = "https://github.example",
        api: String = "https://api.github.example"
    ) throws -> any AuthorizationRepository {
        let (webURL, apiURL) = (try #require(URL(string: web)), try #require(URL(string: api)))
        return OAuthServer.gitHubRepository(
            app: OAuthApp.gitHub(
                clientID: "client",
                clientSecret: try Secret("very-secret"),
                redirect: URL(string: "app:/signed-in")
            ),
            url: webURL,
            web: HTTPClient(
                service: .gitHubWeb(url: webURL, userAgent: "Tests"),
                transport: transport,
                options: .init { $0.now = { testNow } }
            ),
            api: HTTPClient(service: .gitHub(baseURL: apiURL, userAgent: "Tests"), transport: transport)
        )
    }

    @Test(arguments: [
        ("7", 7), ("0", 1), ("-1", 1), ("1e9", 3600), ("\"7\"", 7), ("\"7s\"", 5), ("\"-7\"", 5), ("\"inf\"", 5),
        ("null", 5), ("[5]", 5),
    ])
    func `may contain any interval`(interval: String, seconds: Int) async throws {
        let body = """
            {"device_code":"dddddddd","user_code":"A-B","verification_uri":"https://github.example/d","expires_in":600,\
            "interval":\(interval)}
            """
        let code = try await repository(FakeTransport(json: body)).deviceCode()
        #expect(code.interval == .seconds(seconds))
        #expect(code.lifetime == .seconds(600))
    }

    @Test(
        arguments: [
            ("28800", 28_800), ("\"28800\"", 28_800), ("\"soon\"", nil), ("\"nan\"", nil), ("\"\"", nil),
            ("[28800]", nil),
        ] as [(String, Double?)]
    )
    func `may contain a lifetime as text`(lifetime: String, seconds: Double?) async throws {
        let body = #"{"access_token":"aaaaaaaa","expires_in":\#(lifetime),"refresh_token":"rrrrrrrr"}"#
        let credentials = try await repository(FakeTransport(json: body)).refresh(try Secret("oooooooo"))
        #expect(credentials.expiresAt == seconds.map(testNow.addingTimeInterval))
    }

    @Test func `with a refresh token that is too long to be stored begin no session`() async throws {
        let token = String(repeating: "r", count: 8193)
        let body = #"{"access_token":"aaaaaaaa","expires_in":28800,"refresh_token":"\#(token)"}"#
        let repository = try repository(FakeTransport(json: body))
        let code = try Secret("oooooooo")
        let error = await thrown { () async throws(BrowseError) in try await repository.exchange(code, verifier: code) }
        guard case .unusableResponse(.status, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let empty = try self.repository(FakeTransport(json: #"{"access_token":"aaaaaaaa","refresh_token":""}"#))
        #expect(try await empty.refresh(code).refreshToken == nil)
    }

    @Test(arguments: Canary.all, [200, 400])
    func `with a secret as the error code don't reveal it`(canary: Canary, status: Int) async throws {
        for word in [canary.secret, "bad_\(canary.secret)_code", canary.secret.lowercased()] {
            let repository = try repository(FakeTransport(status: status, json: #"{"error":"\#(word)"}"#))
            let token = try Secret("oooooooo")
            let error = await thrown { () async throws(BrowseError) in try await repository.refresh(token) }
            let printed = everyPrint(of: error as Any).lowercased()
            #expect(!printed.contains(word.lowercased()), "\(printed)")
            #expect(!printed.contains(word.filter(\.isLetter).lowercased()), "\(printed)")
        }
    }

    @Test(arguments: [
        "http://api.github.example", "http://192.168.0.10", "http://localhost.example", "http://10.0.0.1/api/v3",
    ])
    func `are never requested over http`(address: String) async throws {
        let transport = FakeTransport(statuses: 204)
        let token = try Secret("tttttttt")
        let overAPI = try repository(transport, api: address)
        let revoking = await thrown { () async throws(BrowseError) in
            try await overAPI.revoke(Credentials(token: token))
        }
        guard case .refused = revoking else {
            Issue.record("revoke: \(String(describing: revoking))")
            return
        }
        let overWeb = try repository(transport, web: address)
        let errors = [
            await thrown { () async throws(BrowseError) in try await overWeb.exchange(token, verifier: token) },
            await thrown { () async throws(BrowseError) in try await overWeb.deviceCode() },
            await thrown { () async throws(BrowseError) in try await overWeb.refresh(token) },
            await thrown { () async throws(BrowseError) in try overWeb.webPage(state: "s", verifier: token) },
        ]
        for error in errors {
            guard case .refused = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(transport.requests.isEmpty)
    }
}
