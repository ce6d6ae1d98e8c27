public import BrowseDomain

/// A repository of stars whose answers a test writes as closures.
///
/// Use ``InMemoryStarRepository`` when the stars are what matters; use this one to fail, to come late, or to look at what is
/// asked for. A closure that was not set throws an error that says which one to set.
public struct StarRepositoryDouble: GitHub.StarRepository {
    /// What was asked for.
    public enum Request: Hashable, Sendable {
        /// What is starred.
        case list
        /// A star, or to take it back.
        case set(Bool, GitHub.Repo.ID)
        /// Whether a repository is starred.
        case isStarred(GitHub.Repo.ID)
    }

    /// Answers ``starred(receive:)`` with all of it.
    public var onStarred: @Sendable () async throws(BrowseError) -> [GitHub.Repo.ID]
    /// Answers ``set(_:for:)``.
    public var onSet: @Sendable (Bool, GitHub.Repo) async throws(BrowseError) -> Void
    /// Answers ``isStarred(_:)``.
    public var onIsStarred: @Sendable (GitHub.Repo) async throws(BrowseError) -> Bool

    /// Creates a double from its closures; those that are not given throw until they are set.
    public init(
        onStarred: @escaping @Sendable () async throws(BrowseError) -> [GitHub.Repo.ID] = { () throws(BrowseError) in
            throw .notSetUp("onStarred", of: "StarRepositoryDouble")
        },
        onSet: @escaping @Sendable (Bool, GitHub.Repo) async throws(BrowseError) -> Void = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onSet", of: "StarRepositoryDouble")
        },
        onIsStarred: @escaping @Sendable (GitHub.Repo) async throws(BrowseError) -> Bool = { _ throws(BrowseError) in
            throw .notSetUp("onIsStarred", of: "StarRepositoryDouble")
        }
    ) {
        self.onStarred = onStarred
        self.onSet = onSet
        self.onIsStarred = onIsStarred
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> StarRepositoryDouble {
        StarRepositoryDouble(
            onStarred: { () throws(BrowseError) in throw error },
            onSet: { _, _ throws(BrowseError) in throw error },
            onIsStarred: { _ throws(BrowseError) in throw error }
        )
    }

    /// Answers when the test releases the response. A write needs no rows; a star is set when its own row is among them.
    public static func held(_ responses: ControlledResponses<Request, [GitHub.Repo.ID]>) -> StarRepositoryDouble {
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

    /// What ``onStarred`` answers, as one page.
    public func starred(
        receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await receive(Page(items: try await onStarred()))
    }

    /// What ``onSet`` answers.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await onSet(isStarred, repo)
    }

    /// What ``onIsStarred`` answers.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        try await onIsStarred(repo)
    }
}
