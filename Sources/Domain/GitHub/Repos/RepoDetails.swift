@_spi(Services) public import BrowseDomain
public import Foundation

extension GitHub {
    /// A code repository with what only its own page has.
    ///
    /// ``Repo`` is what lists and favorites have. Values that a response lacks are `nil`.
    public struct RepoDetails: Identifiable, Hashable, Sendable {
        /// The repository, as lists show it.
        public let repo: Repo
        /// Whether all members of its enterprise see it; ``Repo/isPrivate`` is `true`, too.
        public var isInternal: Bool = false
        /// The number of open issues and pull requests together, which GitHub doesn't separate.
        public var openIssueCount: Int?
        /// The website of the project, which GitHub doesn't validate; it may lack a scheme.
        public var homepage: WebAddress?
        /// The repository that a fork was made of; `nil` for others, and if the user can't see it.
        public var parent: Repo?
        /// The date on which the repository was created.
        public var createdAt: Date?
        /// The date of the last push to any branch.
        public var pushedAt: Date?

        /// The identity of the repository.
        public var id: Repo.ID { repo.id }

        /// Creates details, and sets their other values with a closure.
        public init(repo: Repo, _ fill: (inout Self) -> Void = { _ in }) {
            self.repo = repo
            fill(&self)
        }
    }
}
