import BrowseDomain
public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation

/// A screen with an account's public repositories, or the user's own or starred ones.
///
/// Refreshing the user's starred repositories also updates the stars in all other lists.
public typealias RepoListViewModel = PagedListViewModel<GitHub.RepoList, RepoRow>

extension RepoListViewModel {
    /// Creates the screen; `show(_:)` loads it.
    package convenience init(
        repository: any GitHub.RepoRepository,
        session: GitHub.SessionManager,
        options: ScreenOptions
    ) {
        let options = options.about(.gitHub)
        let texts = options.texts
        self.init(options: options) { list in
            switch list {
            case .publicRepos(let login): texts(.publicReposTitle(login))
            case .own: texts(.ownReposTitle)
            case .starred: texts(.starredReposTitle)
            }
        } filtering: { row in
            row.fullName
        } begin: { pages, store in
            let marks = StarMarks(session: session, list: pages)
            pages.explainSignOut(of: session)
            store.addPart { state in
                // Without the scope, GitHub leaves out private repositories.
                let isPublicOnly = !session.scopes.isEmpty && !session.scopes.contains("repo")
                if isPublicOnly, state.selection == .own, state.content.status.message?.kind == .empty {
                    state.content.status = .empty(texts.message(.empty, .noOwnPublicRepos, titled: .noReposTitle))
                }
            }
            return { list in
                marks.repoList = list
                return pages.begin(empty: texts.emptyList(list)) { cursor throws(BrowseError) in
                    try await repository.page(of: list, at: cursor)
                } row: {
                    RepoRow($0)
                }
            }
        }
    }
}

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
    fileprivate static let noOwnPublicRepos = Phrase("repos.own.empty.public",
        "You don’t have any public repositories yet. This sign-in doesn’t show private ones.",
        ko: "아직 공개 저장소가 없습니다. 이 로그인으로는 비공개 저장소를 볼 수 없습니다.")
    fileprivate static let noStarredReposTitle = Phrase("repos.starred.empty.title", "No Stars", ko: "별표 없음")
    fileprivate static let noStarredRepos = Phrase("repos.starred.empty", "Repositories you star appear here.",
        ko: "별표를 표시한 저장소가 여기에 표시됩니다.")
}

extension Texts {
    /// Returns the message for an empty list of code repositories.
    func emptyList(_ list: GitHub.RepoList) -> Message {
        switch list {
        case .publicRepos(let login): message(.empty, .noPublicRepos(login), titled: .noReposTitle)
        case .own: message(.empty, .noOwnRepos, titled: .noReposTitle)
        case .starred: message(.empty, .noStarredRepos, titled: .noStarredReposTitle)
        }
    }
}
