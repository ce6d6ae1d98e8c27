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
        case .character(let character):
            self.init(
                id: favorite.id,
                name: favorite.name,
                picture: character.image?.rawValue,
                page: nil,
                detail: try? Self.encoder.encode(CharacterDetail(character))
            )
        case .app(let app):
            self.init(
                id: favorite.id,
                name: favorite.name,
                picture: app.icon.forRow?.rawValue,
                page: app.storePage?.rawValue,
                detail: try? Self.encoder.encode(AppDetail(app))
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
        case .character:
            guard let detail, let found = try? Self.decoder.decode(CharacterDetail.self, from: detail) else {
                return nil
            }
            return .character(
                found.character(
                    id: RickAndMorty.Character.ID(rawValue: id.number),
                    name: name,
                    image: picture.map(WebAddress.init(rawValue:))
                )
            )
        case .app:
            guard let detail, let found = try? Self.decoder.decode(AppDetail.self, from: detail) else { return nil }
            return .app(found.app(id: AppStore.AppID(rawValue: id.number), name: name, storePage: page))
        }
    }

    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()
}
