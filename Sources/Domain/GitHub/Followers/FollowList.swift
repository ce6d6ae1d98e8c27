extension GitHub {
    /// The followers of an account, or the accounts that it follows.
    public enum FollowList: Hashable, Sendable {
        /// The accounts that follow this login.
        case followers(of: Login)
        /// The accounts that this login follows.
        case following(by: Login)

        /// The account that the list belongs to.
        public var owner: Login {
            switch self {
            case .followers(let login), .following(let login): login
            }
        }
    }
}
