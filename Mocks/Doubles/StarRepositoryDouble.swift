public import BrowseDomain

/// A star repository whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryStarRepository``. If a closure isn't set, its calls
/// fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct StarRepositoryDouble: GitHub.StarRepository {
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

    /// Creates a double; calls of closures that aren't set fail.
    public init(
        onStarred: @escaping @Sendable () async throws(BrowseError) -> [GitHub.Repo.ID] = { () throws(BrowseError) in
            throw .notSetUp("onStarred", of: "StarRepositoryDouble", parameters: 0)
        },
        onSet: @escaping @Sendable (Bool, GitHub.Repo) async throws(BrowseError) -> Void = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onSet", of: "StarRepositoryDouble", parameters: 2)
        },
        onIsStarred: @escaping @Sendable (GitHub.Repo) async throws(BrowseError) -> Bool = { _ throws(BrowseError) in
            throw .notSetUp("onIsStarred", of: "StarRepositoryDouble")
        }
    ) {
        self.onStarred = onStarred
        self.onSet = onSet
        self.onIsStarred = onIsStarred
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> StarRepositoryDouble {
        StarRepositoryDouble(
            onStarred: { () throws(BrowseError) in throw error },
            onSet: { _, _ throws(BrowseError) in throw error },
            onIsStarred: { _ throws(BrowseError) in throw error }
        )
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// Responses to writes can be empty. A repository is starred if the response contains its ID.
    public static func controlled(by responses: ControlledResponses<Request, [GitHub.Repo.ID]>) -> StarRepositoryDouble
    {
        StarRepositoryDouble(
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
