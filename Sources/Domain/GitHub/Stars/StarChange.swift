import BrowseDomain

extension GitHub {
    /// A change of stars or star counts.
    package enum StarChange: Hashable, Sendable {
        /// The stars or counts of these repositories may have changed.
        case repos(Set<Repo.ID>)
        /// The stars and counts of all repositories may have changed.
        case all
        /// GitHub has added a star.
        case added(Addition)

        /// A repository that was starred.
        package struct Addition: Hashable, Sendable {
            /// The code repository, with the star count that was read with it.
            package let repo: Repo
            package let interval: StarStore.ReadInterval?
        }
    }
}
