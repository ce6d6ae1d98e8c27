public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation
import Foundation

/// A code repository in words. If GitHub has no value for a field, the text says so.
public struct RepoFacts: EntityDetails {
    /// The repository as GitHub sent it, for values that a front end formats itself.
    public let details: GitHub.RepoDetails
    /// The facts; website, owner, original repository, and web page have routes.
    public let facts: [Fact]

    init(_ details: GitHub.RepoDetails, starCount: Int?, texts: Texts) {
        self.details = details
        let repo = details.repo
        func fact(_ id: String, _ label: Phrase, _ value: String?, _ route: Route? = nil) -> Fact {
            Fact(id, texts(label), value, missing: texts(.noValue), route: route)
        }
        func count(_ id: String, _ label: Phrase, _ count: Int?) -> Fact {
            Fact(id, texts(label), count.map { texts(.count($0)) }, missing: texts(.unknown))
        }
        func day(_ id: String, _ label: Phrase, _ date: Date?) -> Fact {
            Fact(id, texts(label), date.map(texts.formats.day), missing: texts(.unknown))
        }
        let visibility: Phrase = details.isInternal ? .internalRepo : repo.isPrivate ? .privateRepo : .publicRepo
        let flags: [Phrase?] = [visibility, repo.isArchived ? .archived : nil, repo.isFork ? .fork : nil]
        let parent = details.parent.map { fact("parent", .forkedFrom, $0.fullName, $0.route) }
        facts =
            [
                fact("summary", .summary, repo.summary),
                fact("owner", .owner, repo.owner?.login.rawValue, repo.ownerRoute),
            ] + (parent.map { [$0] } ?? []) + [
                fact("flags", .flags, texts.formats.list(flags.compactMap { $0.map { texts($0) } })),
                count("stars", .stars, starCount), count("forks", .forks, repo.forkCount),
                count("issues", .openIssues, details.openIssueCount), fact("language", .language, repo.language),
                fact("topics", .topics, repo.topics.joined(separator: ", ")),
                fact("license", .license, repo.license?.name),
                fact("homepage", .blog, details.homepage?.shownText, details.homepage?.route),
                day("created", .repoCreated, details.createdAt), day("updated", .repoUpdated, repo.updatedAt),
                day("pushed", .pushed, details.pushedAt),
                fact("webPage", .webPage, repo.webPage?.shownText, repo.webPage?.route),
            ]
    }
}

extension GitHub.Repo {
    /// The screen of the repository.
    var route: Route { .gitHub(.repo(id, label: fullName)) }
    fileprivate var ownerRoute: Route? { owner.map { .gitHub(.account($0.id, label: $0.login)) } }
}

// swift-format-ignore
extension Phrase {
    fileprivate static let summary = Phrase("repo.summary", "Description", ko: "설명")
    fileprivate static let owner = Phrase("repo.owner", "Owner", ko: "소유자")
    fileprivate static let forkedFrom = Phrase("repo.parent", "Forked From", ko: "원본 저장소")
    fileprivate static let flags = Phrase("repo.flags", "Kind", ko: "종류")
    fileprivate static let publicRepo = Phrase("repo.public", "Public", ko: "공개")
    fileprivate static let privateRepo = Phrase("repo.private", "Private", ko: "비공개")
    fileprivate static let internalRepo = Phrase("repo.internal", "Internal", ko: "내부")
    fileprivate static let archived = Phrase("repo.archived", "Archived", ko: "보관됨")
    fileprivate static let fork = Phrase("repo.fork", "Fork", ko: "포크")
    fileprivate static let openIssues = Phrase("repo.issues", "Open Issues and Pull Requests", ko: "열린 이슈와 풀 리퀘스트")
    fileprivate static let language = Phrase("repo.language", "Language", ko: "언어")
    fileprivate static let topics = Phrase("repo.topics", "Topics", ko: "토픽")
    fileprivate static let license = Phrase("repo.license", "License", ko: "라이선스")
    fileprivate static let repoCreated = Phrase("repo.created", "Created", ko: "생성")
    fileprivate static let repoUpdated = Phrase("repo.updated", "Updated", ko: "업데이트")
    fileprivate static let pushed = Phrase("repo.pushed", "Last Push", ko: "마지막 푸시")
    fileprivate static let webPage = Phrase("repo.page", "Page on GitHub", ko: "GitHub 페이지")
}
