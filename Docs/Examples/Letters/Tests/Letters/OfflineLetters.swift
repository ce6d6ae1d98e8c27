import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation
import Letters

/// Letters without a network, to which haneul signs in.
nonisolated final class OfflineLetters: OfflineService {
    typealias Settings = LettersSettings
    let scenarios = OfflineScenarios()

    private let bodies = [
        "/device/code":
            #"{"device_code": "d", "user_code": "AB-CD", "verification_uri": "https://letters.example/device"}"#,
        "/token": #"{"access_token": "access-1", "token_type": "bearer"}"#,
        "/me": #"{"name": "haneul"}"#,
        "/drafts": #"["To the sea"]"#,
        "/revoke": "",
    ]

    func adjust(_ configuration: inout Configuration) {
        configuration.letters.app = configuration.letters.app ?? OAuthApp(clientID: "letters-app")
    }

    func hasEndpoint(for request: HTTPClient.Request) -> Bool { bodies[request.url.path()] != nil }

    func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        HTTPClient.Response(status: 200, body: Data((bodies[request.url.path()] ?? "").utf8), url: request.url)
    }
}
