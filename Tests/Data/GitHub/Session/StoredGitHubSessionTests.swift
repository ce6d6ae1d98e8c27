import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A stored session of GitHub` {
    private let user = GitHub.User(
        id: .init(rawValue: 583_231),
        login: GitHub.Login("octocat"),
        avatar: WebAddress(rawValue: "https://example.com/a.png")
    )

    private func coder() throws -> CredentialsCoder {
        CredentialsCoder(server: try #require(URL(string: "https://api.github.com")))
    }

    @Test func `that has no account identifier, as in earlier versions, keeps its user and account`() throws {
        let record = """
            {"refreshToken":"r","scopes":["public_repo"],"server":"https://api.github.com","token":"t","user":\
            {"avatar":"https://example.com/a.png","id":583231,"kind":"User","login":"octocat"},"version":1}
            """
        let credentials = try #require(try coder().decode(Data(record.utf8)))
        #expect(credentials.user == StoredUser(user))
        #expect(credentials.user?.user() == user)
        #expect(credentials.account == "user 583231")
    }

    @Test func `contains the user's fields where earlier versions read them`() throws {
        let data = try coder().encode(Credentials(token: try Secret("t"), user: user))
        let text = #""user":{"avatar":"https:\/\/example.com\/a.png","id":583231,"kind":"User","login":"octocat"}"#
        #expect(String(decoding: data, as: UTF8.self).contains(text))
    }
}
