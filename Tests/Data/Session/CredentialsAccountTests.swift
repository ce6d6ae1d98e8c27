import BrowseDomain
import Testing

@testable import BrowseData

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
}
