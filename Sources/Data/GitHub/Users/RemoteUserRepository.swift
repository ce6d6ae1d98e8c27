public import BrowseDomain

/// Accounts from GitHub's REST API.
public struct RemoteUserRepository: GitHub.UserRepository {
    private let client: HTTPClient

    /// Creates a repository that asks through a client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        self.client = client
    }

    /// The public profile of an account.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(of: login))
    }
}

extension Endpoint<GitHub.UserProfile> {
    /// `GET /users/{username}`.
    static func profile(of login: GitHub.Login) -> Self {
        Endpoint(.path("/users/\(login)")) { response in
            GitHub.UserProfile(try response.json(UserProfileDTO.self, using: GitHubCoding.decoder))
        }
    }
}
