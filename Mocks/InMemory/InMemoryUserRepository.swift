public import BrowseDomain

/// Accounts that a test or a preview brings along.
///
/// Logins compare without regard to case, as GitHub compares them; anybody else is not found.
public struct InMemoryUserRepository: GitHub.UserRepository {
    private let profiles: [String: GitHub.UserProfile]

    /// Creates a repository of these accounts; of two with one login, the later counts.
    public init(profiles: [GitHub.UserProfile]) {
        self.profiles = Dictionary(profiles.map { ($0.user.login.lookupKey, $0) }) { $1 }
    }

    /// The public profile of an account.
    ///
    /// - Throws: `.notFound` when nobody has that login, `.cancelled` when the calling task is cancelled.
    public func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        guard !Task.isCancelled else { throw .cancelled }
        guard let profile = profiles[login.lookupKey] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.profile(of:)"))
        }
        return profile
    }
}

extension GitHub.Login {
    /// What logins are found by: GitHub takes upper and lower case for the same.
    var lookupKey: String { rawValue.lowercased() }
}
