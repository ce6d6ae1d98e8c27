extension GitHub {
    /// A list of code repositories.
    public enum RepoList: Hashable, Sendable {
        /// An account's public repositories, most recently changed first.
        case publicRepos(of: Login)
        /// The repositories that the signed-in user can access, most recently changed first.
        case own
        /// The repositories that the signed-in user has starred, most recently starred first.
        case starred
    }
}
