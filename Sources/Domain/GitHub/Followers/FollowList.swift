extension GitHub {
    /// Names one of the two lists that every account has: who follows it, and whom it follows.
    public enum FollowList: Hashable, Sendable {
        /// The accounts that follow this login.
        case followers(of: Login)
        /// The accounts that this login follows.
        case following(by: Login)

        /// The account whose list it is.
        public var owner: Login {
            switch self {
            case .followers(let login), .following(let login): login
            }
        }
    }
}
