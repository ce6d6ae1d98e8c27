import BrowseKit
import Foundation

/// The formats of each kind of row.
@MainActor
struct RowStyles {
    let texts: Texts
    let formats: Formats

    init(_ session: Session) {
        texts = session.texts
        formats = session.container.texts().formats
    }

    /// Accounts.
    var users: RowStyle<UserRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.login), minWidth: .max),
                Table.Column(texts(.kind), minWidth: 4),
                Table.Column(texts(.id), minWidth: .max, isNumeric: true),
                Table.Column(texts(.webPage), minWidth: 20),
            ],
            cells: { [texts] row in
                [
                    row.login.rawValue + mark(row.isFavorite), texts.kind(row.kind), String(row.id.rawValue),
                    row.webPage?.rawValue ?? "",
                ]
            },
            fields: { $0.user.fields },
            json: { $0.user.json(isFavorite: $0.isFavorite) },
            unit: .people
        )
    }

    /// Code repositories.
    var repos: RowStyle<RepoRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.repo), minWidth: .max),
                Table.Column(texts(.stars), minWidth: .max, isNumeric: true),
                Table.Column(texts(.language), minWidth: 6),
                Table.Column(texts(.updated), minWidth: .max),
                Table.Column(texts(.summary), minWidth: 12),
            ],
            cells: { [formats] row in
                [
                    row.fullName + mark(row.isFavorite),
                    (row.isStarred ? "★ " : "") + (row.starCount.map(formats.compact) ?? ""), row.language ?? "",
                    row.updatedAt.map(formats.day) ?? "", row.summary ?? "",
                ]
            },
            fields: { $0.repo.fields(starCount: $0.starCount) },
            json: { row in
                row.repo.json(isFavorite: row.isFavorite, starCount: row.starCount, ["starred": .flag(row.isStarred)])
            },
            unit: .things
        )
    }

    /// Characters of Rick and Morty.
    var characters: RowStyle<CharacterRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.name), minWidth: .max), Table.Column(texts(.status), minWidth: 6),
                Table.Column(texts(.species), minWidth: 6),
                Table.Column(texts(.id), minWidth: .max, isNumeric: true),
            ],
            cells: { [$0.name + mark($0.isFavorite), $0.status, $0.species, String($0.id.rawValue)] },
            fields: { $0.character.fields },
            json: { $0.character.json(isFavorite: $0.isFavorite) },
            unit: .things
        )
    }

    /// Episodes of Rick and Morty.
    var episodes: RowStyle<EpisodeRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.code), minWidth: .max), Table.Column(texts(.name), minWidth: 12),
                Table.Column(texts(.airDate), minWidth: 10),
                Table.Column(texts(.id), minWidth: .max, isNumeric: true),
            ],
            cells: { [$0.code, $0.name, $0.airDate, String($0.id.rawValue)] },
            fields: { [$0.name, String($0.id.rawValue), $0.episode.code ?? "", $0.episode.airDate ?? ""] },
            json: { $0.episode.json },
            unit: .things
        )
    }

    /// Locations of Rick and Morty.
    var locations: RowStyle<LocationRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.name), minWidth: .max), Table.Column(texts(.type), minWidth: 6),
                Table.Column(texts(.dimension), minWidth: 8),
                Table.Column(texts(.id), minWidth: .max, isNumeric: true),
            ],
            cells: { [$0.name, $0.type, $0.dimension, String($0.id.rawValue)] },
            fields: {
                [$0.name, String($0.id.rawValue), $0.location.type ?? "", $0.location.dimension ?? ""]
            },
            json: { $0.location.json },
            unit: .things
        )
    }

    /// Apps of the App Store.
    var apps: RowStyle<AppRow> {
        RowStyle(
            columns: [
                Table.Column(texts(.name), minWidth: .max), Table.Column(texts(.rating), minWidth: .max),
                Table.Column(texts(.price), minWidth: .max), Table.Column(texts(.genre), minWidth: 6),
                Table.Column(texts(.id), minWidth: .max, isNumeric: true),
            ],
            cells: { row in
                [
                    row.name + mark(row.isFavorite), row.rating.map { "\($0.stars.drawn) \($0.average)" } ?? "",
                    row.price,
                    row.app.genre ?? "", String(row.id.rawValue),
                ]
            },
            fields: { $0.app.fields },
            json: { $0.app.json(isFavorite: $0.isFavorite) },
            unit: .things
        )
    }

    /// Favorites.
    var favorites: RowStyle<FavoriteListViewModel.Row> {
        RowStyle(
            columns: [
                Table.Column(texts(.name), minWidth: .max),
                Table.Column(texts(.kind), minWidth: 4),
                Table.Column(texts(.webPage), minWidth: 20),
            ],
            cells: { [texts] row in
                let favorite = row.favorite
                if let user = favorite.value(as: GitHub.User.self) {
                    return [user.login.rawValue, texts.kind(user.kind), user.webPage?.rawValue ?? ""]
                }
                if let repo = favorite.value(as: GitHub.Repo.self) {
                    return [repo.fullName, texts(.repo), repo.webPage?.rawValue ?? ""]
                }
                if let character = favorite.value(as: RickAndMorty.Character.self) {
                    return [character.name, texts(.character), character.image?.rawValue ?? ""]
                }
                if let app = favorite.value(as: AppStore.App.self) {
                    return [app.name, texts(.app), app.link.rawValue]
                }
                return [favorite.title, favorite.kind.rawValue, favorite.image?.rawValue ?? ""]
            },
            fields: { row in
                let favorite = row.favorite
                let fields =
                    favorite.value(as: GitHub.User.self)?.fields
                    ?? favorite.value(as: GitHub.Repo.self).map { $0.fields(starCount: $0.starCount) }
                    ?? favorite.value(as: RickAndMorty.Character.self)?.fields
                    ?? favorite.value(as: AppStore.App.self)?.fields ?? [favorite.title, favorite.id.key]
                return [favorite.kind.rawValue] + fields
            },
            json: { row in
                let favorite = row.favorite
                let item =
                    favorite.value(as: GitHub.User.self)?.json(isFavorite: row.isFavorite)
                    ?? favorite.value(as: GitHub.Repo.self).map {
                        $0.json(isFavorite: row.isFavorite, starCount: $0.starCount)
                    }
                    ?? favorite.value(as: RickAndMorty.Character.self)?.json(isFavorite: row.isFavorite)
                    ?? favorite.value(as: AppStore.App.self)?.json(isFavorite: row.isFavorite)
                    ?? .object(["name": .text(favorite.title), "key": .text(favorite.id.key)])
                return .object(["type": .text(favorite.kind.rawValue), "item": item])
            },
            unit: .things
        )
    }
}

/// Returns the mark behind a favorite's name.
private func mark(_ isFavorite: Bool) -> String { isFavorite ? " ♥" : "" }

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .text(text) }
}

extension GitHub.User {
    /// The login, ID, kind, and page.
    fileprivate var fields: [String] {
        [login.rawValue, String(id.rawValue), kind.rawValue, webPage?.rawValue ?? ""]
    }

    func json(isFavorite: Bool) -> JSON {
        .object([
            "login": .text(login.rawValue), "id": .number(id.rawValue), "kind": .text(kind.rawValue),
            "web_page": JSON(webPage?.rawValue), "avatar": JSON(avatar?.rawValue), "favorite": .flag(isFavorite),
        ])
    }
}

extension GitHub.Repo {
    /// The full name, ID, stars, language, date of the last change, and page.
    fileprivate func fields(starCount: Int?) -> [String] {
        [
            fullName, String(id.rawValue), starCount.map(String.init) ?? "", language ?? "",
            updatedAt?.formatted(.iso8601) ?? "", webPage?.rawValue ?? "",
        ]
    }

    fileprivate func json(isFavorite: Bool, starCount: Int?, _ more: [String: JSON] = [:]) -> JSON {
        let fields: [String: JSON] = [
            "full_name": .text(fullName), "name": .text(name), "id": .number(id.rawValue),
            "owner": JSON(owner?.login.rawValue), "description": JSON(summary), "language": JSON(language),
            "topics": .list(topics.map(JSON.text)), "license": JSON(license?.spdxID ?? license?.key),
            "stars": JSON(starCount), "forks": JSON(forkCount), "fork": .flag(isFork), "archived": .flag(isArchived),
            "private": .flag(isPrivate), "updated_at": JSON(updatedAt?.formatted(.iso8601)),
            "web_page": JSON(webPage?.rawValue), "favorite": .flag(isFavorite),
        ]
        return .object(fields.merging(more) { $1 })
    }
}

extension Texts {
    /// Returns the localized kind of an account, or GitHub's name for unknown kinds.
    func kind(_ kind: GitHub.User.Kind) -> String {
        switch kind {
        case .user: self(.user)
        case .organization: self(.organization)
        case .bot: self(.bot)
        case .mannequin: self(.mannequin)
        default: kind.rawValue
        }
    }
}
