@_spi(Services) public import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain

extension RemoteGitHubRepository: GitHub.UserRepository {
    /// Returns the profile of a login.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(.profile(at: "/users/\(login)"), typed: login)
    }

    /// Returns the profile of a number.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await profile(.profile(at: "/user/\([id.rawValue])"))
    }

    private func profile(
        _ endpoint: Endpoint<GitHub.UserProfile>,
        typed: GitHub.Login? = nil
    ) async throws(BrowseError) -> GitHub.UserProfile {
        let cached = await client.cached(endpoint)
        let profile = try await client.send(endpoint)
        // Another account can have had the login when its lists were cached.
        if let cached, cached.user.id != profile.id || cached.user.login != profile.user.login {
            // Screens open them by GitHub's spelling, which can differ from the typed one.
            for login in [typed ?? profile.user.login, cached.user.login, profile.user.login] {
                let lists: [GitHub.FollowList] = [.followers(of: login), .following(by: login)]
                for list in lists { await client.discard(.page(of: list, size: pageSize, at: nil)) }
                await client.discard(.page(of: GitHub.RepoList.publicRepos(of: login), size: pageSize, at: nil))
            }
        }
        return profile
    }

    /// Returns the profile of the signed-in user.
    public func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(at: "/user"))
    }

    /// Returns one page of the accounts that a search finds.
    public func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await client.send(.gitHubSearch("/search/users", for: text, size: pageSize, at: cursor))
    }
}

extension Endpoint<GitHub.UserProfile> {
    /// `GET /user`, which is the signed-in user's, `/users/{username}`, or `/user/{account_id}`.
    static func profile(at path: EndpointPath) -> Self {
        Endpoint(.path(path)) { try $0.json(DTO<GitHub.UserProfile>.self).entity }
    }
}

/// GitHub's "simple user", which is a row of a list.
@_spi(Services) extension GitHub.User: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(
            id: ID(rawValue: try json.required("id")),
            login: GitHub.Login(try json.required("login")),
            avatar: json[address: "avatar_url"]?.unsigned,
            webPage: json[address: "html_url"],
            kind: json["type"].map(Kind.init(rawValue:)) ?? .user
        )
    }
}

extension WebAddress {
    /// The lasting address of an avatar, which GitHub signs for 20 minutes for some accounts.
    fileprivate var unsigned: WebAddress {
        let host = "https://private-avatars.githubusercontent.com/"
        guard rawValue.hasPrefix(host) else { return self }
        let path = rawValue.dropFirst(host.count).prefix { $0 != "?" }
        return WebAddress("https://avatars.githubusercontent.com/\(path)?v=4")
    }
}

/// GitHub's "public user", which is a profile.
@_spi(Services) extension GitHub.UserProfile: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(user: try GitHub.User(json)) {
            $0.name = json["name"]
            $0.bio = json["bio"]
            $0.company = json["company"]
            $0.location = json["location"]
            $0.blog = json[address: "blog"]
            $0.publicRepoCount = json["public_repos"]
            $0.publicGistCount = json["public_gists"]
            $0.followerCount = json["followers"]
            $0.followingCount = json["following"]
            $0.memberSince = json[date: "created_at"]
        }
    }
}

extension EndpointPath.StringInterpolation {
    /// Appends a login as one segment; an invalid login makes the path invalid
    /// (`GitHub.Login.isValid`).
    public mutating func appendInterpolation(_ login: GitHub.Login) {
        appendInterpolation(login.rawValue, isValid: login.isValid)
    }
}
