import BrowseDomain
import BrowseGitHubDomain
public import BrowsePresentation

// swift-format-ignore
extension Phrase {
    fileprivate static let users = Phrase("favorites.users.title", "Accounts", ko: "계정")
    static let repos = Phrase("favorites.repos.title", "Repositories", ko: "저장소")
}

extension FavoriteKind {
    /// GitHub's users and code repositories.
    public static let gitHub: [FavoriteKind] = [
        FavoriteKind(GitHub.User.self, title: .users) { .gitHub(.account($0.id, label: $0.login)) },
        FavoriteKind(GitHub.Repo.self, title: .repos) { $0.route },
    ]
}
