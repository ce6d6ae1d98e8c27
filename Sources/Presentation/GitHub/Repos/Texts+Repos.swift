import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

// swift-format-ignore
extension Phrase {
    static func publicReposTitle(_ login: GitHub.Login) -> Phrase {
        Phrase("repos.public.title", "Repositories of \(login)", ko: "\(login)의 저장소")
    }
    static let ownReposTitle = Phrase("repos.own.title", "Your Repositories", ko: "내 저장소")
    static let starredReposTitle = Phrase("repos.starred.title", "Your Stars", ko: "내 별표")

    fileprivate static let noReposTitle = Phrase("repos.empty.title", "No Repositories", ko: "저장소 없음")
    fileprivate static func noPublicRepos(_ login: GitHub.Login) -> Phrase {
        Phrase("repos.public.empty", "\(login) doesn’t have any public repositories yet.",
            ko: "\(login) 님은 아직 공개 저장소가 없습니다.")
    }
    fileprivate static let noOwnRepos = Phrase("repos.own.empty", "You don’t have any repositories yet.",
        ko: "아직 저장소가 없습니다.")
    fileprivate static let noStarredReposTitle = Phrase("repos.starred.empty.title", "No Stars", ko: "별표 없음")
    fileprivate static let noStarredRepos = Phrase("repos.starred.empty", "Repositories you star appear here.",
        ko: "별표를 표시한 저장소가 여기에 표시됩니다.")
}

extension Texts {
    /// Returns the message for an empty list of code repositories.
    func emptyList(_ list: GitHub.RepoList) -> Message {
        switch list {
        case .publicRepos(let login):
            message(.empty, .noPublicRepos(login), titled: .noReposTitle, action: .changeInput)
        case .own: message(.empty, .noOwnRepos, titled: .noReposTitle)
        case .starred: message(.empty, .noStarredRepos, titled: .noStarredReposTitle)
        }
    }
}
