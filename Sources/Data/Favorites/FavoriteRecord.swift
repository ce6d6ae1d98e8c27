import BrowseDomain
import Foundation

/// A favourite as it is stored: what its row shows.
///
/// The JSON in ``detail`` outlives this version of the SDK: fields may be added, and must then be optional.
struct FavoriteRecord {
    let id: Favorite.ID
    let name: String
    let picture: String?
    let page: String?
    let detail: Data?
}

extension FavoriteRecord {
    init(_ favorite: Favorite) {
        let detail: Data?
        switch favorite {
        case .user(let user):
            detail = user.kind == .user ? nil : try? Self.encoder.encode(UserDetail(type: user.kind.rawValue))
            self.init(
                id: favorite.id,
                name: favorite.name,
                picture: user.avatar?.rawValue,
                page: user.webPage?.rawValue,
                detail: detail
            )
        case .repo(let repo):
            detail = try? Self.encoder.encode(RepoDetail(repo))
            self.init(
                id: favorite.id,
                name: favorite.name,
                picture: repo.owner?.avatar?.rawValue,
                page: repo.webPage?.rawValue,
                detail: detail
            )
        }
    }

    /// The favourite; `nil` when the detail cannot be read.
    var favorite: Favorite? {
        let page = page.map(WebAddress.init(rawValue:))
        switch id.kind {
        case .user:
            var kind = GitHub.User.Kind.user
            if let detail {
                guard let found = try? Self.decoder.decode(UserDetail.self, from: detail) else { return nil }
                kind = GitHub.User.Kind(rawValue: found.type)
            }
            let user = GitHub.User(
                id: GitHub.User.ID(rawValue: id.number),
                login: GitHub.Login(name),
                avatar: picture.map(WebAddress.init(rawValue:)),
                webPage: page,
                kind: kind
            )
            return .user(user)
        case .repo:
            guard let detail, let found = try? Self.decoder.decode(RepoDetail.self, from: detail) else { return nil }
            return .repo(
                found.repo(id: GitHub.Repo.ID(rawValue: id.number), fullName: name, picture: picture, page: page)
            )
        }
    }

    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()
}

private struct UserDetail: Codable {
    let type: String
}

private struct RepoDetail: Codable {
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
        // JSON has no word for a date that is infinitely far away.
        updatedAt = repo.updatedAt.flatMap { $0.timeIntervalSince1970.isFinite ? $0.timeIntervalSince1970 : nil }
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
