import BrowseDomain
import Foundation

/// What an account's favourite keeps beside its columns.
struct UserDetail: Codable {
    let type: String
}

/// What a code repository's favourite keeps beside its columns.
struct RepoDetail: Codable {
    struct Owner: Codable {
        let id: Int64
        let login: String
        let page: String?
        let type: String
    }

    struct License: Codable {
        let key: String
        let name: String
        let spdxID: String?
    }

    let name: String
    let owner: Owner?
    let summary: String?
    let language: String?
    let topics: [String]
    let license: License?
    let stars: Int?
    let forks: Int?
    let isFork: Bool
    let isArchived: Bool
    let isPrivate: Bool
    /// Seconds since 1970.
    let updatedAt: Double?

    init(_ repo: GitHub.Repo) {
        name = repo.name
        owner = repo.owner.map {
            Owner(id: $0.id.rawValue, login: $0.login.rawValue, page: $0.webPage?.rawValue, type: $0.kind.rawValue)
        }
        summary = repo.summary
        language = repo.language
        topics = repo.topics
        license = repo.license.map { License(key: $0.key, name: $0.name, spdxID: $0.spdxID) }
        stars = repo.starCount
        forks = repo.forkCount
        isFork = repo.isFork
        isArchived = repo.isArchived
        isPrivate = repo.isPrivate
        updatedAt = repo.updatedAt?.storedSeconds
    }

    func repo(id: GitHub.Repo.ID, fullName: String, picture: String?, page: WebAddress?) -> GitHub.Repo {
        GitHub.Repo(
            id: id,
            name: name,
            fullName: fullName,
            owner: owner.map {
                GitHub.User(
                    id: GitHub.User.ID(rawValue: $0.id),
                    login: GitHub.Login($0.login),
                    avatar: picture.map(WebAddress.init(rawValue:)),
                    webPage: $0.page.map(WebAddress.init(rawValue:)),
                    kind: GitHub.User.Kind(rawValue: $0.type)
                )
            },
            summary: summary,
            language: language,
            topics: topics,
            license: license.map { GitHub.Repo.License(key: $0.key, name: $0.name, spdxID: $0.spdxID) },
            starCount: stars,
            forkCount: forks,
            isFork: isFork,
            isArchived: isArchived,
            isPrivate: isPrivate,
            updatedAt: updatedAt.map(Date.init(timeIntervalSince1970:)),
            webPage: page
        )
    }
}
