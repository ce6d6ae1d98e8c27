import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The account key of credentials` {
    private let user = GitHub.User(id: .init(rawValue: 7), login: GitHub.Login("mona"))

    @Test func `differs per sign-in, and stays the same after a refresh and once the user is known`() throws {
        var credentials = Credentials(token: try Secret("first-token"), refreshToken: try Secret("r"))
        let account = credentials.account
        #expect(!account.contains("first-token"))
        credentials.user = StoredUser(user)
        #expect(credentials.account == account)
        #expect(Credentials(token: try Secret("second-token"), user: user).account != account)
        credentials.signInID = credentials.effectiveSignInID
        credentials.token = try Secret("second-token")
        #expect(credentials.account == account)
        let coder = CredentialsCoder(name: SessionName("GitHub", at: try #require(URL(string: "https://api.example"))))
        #expect(try coder.decode(coder.encode(credentials))?.account == account)
    }

    @Test func `is the same after storing a user that can't be encoded`() throws {
        struct Unencodable: SessionUser {
            var accountID = "7"
            var value = Double.infinity
        }
        let credentials = Credentials(token: try Secret("a"), user: Unencodable())
        let coder = CredentialsCoder(name: SessionName("GitHub", at: try #require(URL(string: "https://api.example"))))
        let read = try #require(try coder.decode(coder.encode(credentials)))
        #expect(read == credentials)
        #expect(read.account == credentials.account)
    }
}
