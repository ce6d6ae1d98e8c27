public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A star repository whose results a test sets as closures; see `RepositoryDouble`.
public struct StarRepositoryDouble: GitHub.StarRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A call for the starred list.
        case list
        /// A call that adds or removes a star.
        case set(Bool, GitHub.Repo.ID)
        /// A call that checks a star.
        case isStarred(GitHub.Repo.ID)
    }

    /// Performs ``starred(receive:)`` with all rows.
    public var onStarred: @Sendable () async throws(BrowseError) -> [GitHub.Repo.ID]
    /// Performs ``set(_:for:)``.
    public var onSet: @Sendable (Bool, GitHub.Repo) async throws(BrowseError) -> Void
    /// Performs ``isStarred(_:)``.
    public var onIsStarred: @Sendable (GitHub.Repo) async throws(BrowseError) -> Bool

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onStarred = { () throws(BrowseError) in throw await error("onStarred", 0) }
        onSet = { _, _ throws(BrowseError) in throw await error("onSet", 2) }
        onIsStarred = { _ throws(BrowseError) in throw await error("onIsStarred", 1) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onStarred: (@Sendable () async throws(BrowseError) -> [GitHub.Repo.ID])? = nil,
        onSet: (@Sendable (Bool, GitHub.Repo) async throws(BrowseError) -> Void)? = nil,
        onIsStarred: (@Sendable (GitHub.Repo) async throws(BrowseError) -> Bool)? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onStarred { self.onStarred = onStarred }
        if let onSet { self.onSet = onSet }
        if let onIsStarred { self.onIsStarred = onIsStarred }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any GitHub.StarRepository) {
        onStarred = { () throws(BrowseError) in
            var ids: [GitHub.Repo.ID] = []
            try await repository.starred { page in ids += page.items }
            return ids
        }
        onSet = { isStarred, repo throws(BrowseError) in try await repository.set(isStarred, for: repo) }
        onIsStarred = { repo throws(BrowseError) in try await repository.isStarred(repo) }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// Responses to writes can be empty. A repository is starred if the response contains its ID.
    public static func controlled(by responses: ControlledResponses<Request, [GitHub.Repo.ID]>) -> Self {
        Self(
            onStarred: { () throws(BrowseError) in try await responses.response(to: .list) },
            onSet: { isStarred, repo throws(BrowseError) in
                _ = try await responses.response(to: .set(isStarred, repo.id))
            },
            onIsStarred: { repo throws(BrowseError) in
                try await responses.response(to: .isStarred(repo.id)).contains(repo.id)
            }
        )
    }

    /// Calls ``onStarred``, and delivers one page.
    public func starred(
        receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await receive(Page(items: try await onStarred()))
    }

    /// Calls ``onSet``.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await onSet(isStarred, repo)
    }

    /// Calls ``onIsStarred``.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        try await onIsStarred(repo)
    }
}
