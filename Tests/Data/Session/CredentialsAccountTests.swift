import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData
@testable import BrowseGitHubData

@Suite(.bounded)
struct `The account key of credentials` {
    private let user = GitHub.User(id: .init(rawValue: 7), login: GitHub.Login("mona"))

    private func credentials(_ token: String, refresh: String? = nil, of user: GitHub.User? = nil) throws
        -> Credentials
    {
        Credentials(
            token: try AccessToken(token),
            refreshToken: try refresh.map { try Secret($0) },
            user: user
        )
    }

    @Test func `is the token's digest without a refresh token, even if the user is known`() throws {
        let unknown = try credentials("a").account
        #expect(try credentials("a", of: user).account == unknown)
        #expect(try credentials("b", of: user).account != unknown)
    }

    @Test func `is the user's ID with a refresh token`() throws {
        let account = try credentials("a", refresh: "r", of: user).account
        #expect(try credentials("b", refresh: "s", of: user).account == account)
        #expect(try credentials("a", refresh: "r").account != account)
    }

    @Test func `is the same after storing a user that can't be encoded`() throws {
        struct Unencodable: SessionUser {
            var accountID = "7"
            var value = Double.infinity
        }
        let credentials = Credentials(
            token: try Secret("a"),
            refreshToken: try Secret("r"),
            user: Unencodable()
        )
        let coder = CredentialsCoder(server: try #require(URL(string: "https://api.example")))
        let read = try #require(try coder.decode(coder.encode(credentials)))
        #expect(read == credentials)
        #expect(read.account == "user 7")
    }
}
