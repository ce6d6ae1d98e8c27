public import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain

/// A repository of accounts from GitHub's REST API.
public struct RemoteUserRepository: GitHub.UserRepository {
    private let client: HTTPClient
    private let pageSize: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of `HTTPClient.Service.gitHub(baseURL:userAgent:now:)`.
    ///   - pageSize: The number of rows on a page of search results, 1 to 100.
    public init(client: HTTPClient, pageSize: Int = 100) {
        self.client = client
        self.pageSize = GitHub.pageSize(pageSize)
    }

    /// Returns the public profile of an account.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(of: login))
    }

    /// Returns the public profile of the account with a number.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(ofID: id))
    }

    /// Returns the profile of the signed-in user.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.ownProfile)
    }

    /// Returns one page of search results, best match first.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> {
        try await client.send(.users(matching: text, size: pageSize, at: cursor))
    }
}

extension Endpoint<GitHub.UserProfile> {
    /// `GET /users/{username}`.
    static func profile(of login: GitHub.Login) -> Self { profile(at: "/users/\(login)") }

    /// `GET /user/{account_id}`.
    static func profile(ofID id: GitHub.User.ID) -> Self { profile(at: "/user/\([id.rawValue])") }

    /// `GET /user`.
    static var ownProfile: Self { profile(at: "/user") }

    private static func profile(at path: EndpointPath) -> Self {
        Endpoint(.path(path)) { response in
            GitHub.UserProfile(try response.json(UserProfileDTO.self))
        }
    }
}

extension Endpoint<GitHub.SearchPage<GitHub.User>> {
    /// `GET /search/users`.
    static func users(matching text: GitHub.SearchText, size: Int, at cursor: PageCursor?) -> Self {
        .gitHubSearch("/search/users", for: text, size: size, at: cursor) { (dto: UserDTO) in GitHub.User(dto) }
    }
}
