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
        RowStyle(unit: .people, isGitHub: true) { [texts] row in
            [
                .init(texts(.login), row.login.rawValue + mark(row.isFavorite)),
                .init(texts(.kind), texts.kind(row.kind), minWidth: 4),
                .init(texts(.id), String(row.id.rawValue), isNumeric: true),
                .init(texts(.webPage), row.webPage?.rawValue ?? "", minWidth: 20),
            ]
        } fields: {
            $0.user.fields
        } json: {
            $0.user.json(isFavorite: $0.isFavorite)
        }
    }

    /// Code repositories.
    var repos: RowStyle<RepoRow> {
        RowStyle(isGitHub: true) { [texts, formats] row in
            let stars = (row.isStarred ? "★ " : "") + (row.starCount.map(formats.compact) ?? "")
            return [
                .init(texts(.repo), row.fullName + mark(row.isFavorite)),
                .init(texts(.stars), stars, isNumeric: true),
                .init(texts(.language), row.language ?? "", minWidth: 6),
                .init(texts(.updated), row.updatedAt.map(formats.day) ?? ""),
                .init(texts(.summary), row.summary ?? "", minWidth: 12),
            ]
        } fields: {
            $0.repo.fields(starCount: $0.starCount)
        } json: { row in
            row.repo.json(isFavorite: row.isFavorite, starCount: row.starCount, ["starred": .flag(row.isStarred)])
        }
    }

    /// Characters of Rick and Morty.
    var characters: RowStyle<CharacterRow> {
        style(["status": 6, "species": 6], name: { $0.name + mark($0.isFavorite) }) {
            $0.character.fields
        } json: {
            $0.character.json(isFavorite: $0.isFavorite)
        }
    }

    /// Episodes of Rick and Morty.
    var episodes: RowStyle<EpisodeRow> {
        style(["code": .max, "airDate": 10], name: \.name) {
            [$0.name, String($0.id.rawValue), $0.episode.code ?? "", $0.episode.airDate ?? ""]
        } json: {
            $0.episode.json
        }
    }

    /// Locations of Rick and Morty.
    var locations: RowStyle<LocationRow> {
        style(["type": 6, "dimension": 8], name: \.name) {
            [$0.name, String($0.id.rawValue), $0.location.type ?? "", $0.location.dimension ?? ""]
        } json: {
            $0.location.json
        }
    }

    /// Apps of the App Store.
    var apps: RowStyle<AppRow> {
        RowStyle { [texts] row in
            [
                .init(texts(.name), row.name + mark(row.isFavorite)),
                .init(texts(.rating), row.rating.map { "\($0.stars.drawn) \($0.average)" } ?? ""),
                .init(texts(.price), row.price), .init(texts(.genre), row.app.genre ?? "", minWidth: 6),
                .init(texts(.id), String(row.id.number), isNumeric: true),
            ]
        } fields: {
            $0.app.fields
        } json: {
            $0.app.json(isFavorite: $0.isFavorite)
        }
    }

    /// Favorites.
    var favorites: RowStyle<FavoriteListViewModel.Row> {
        RowStyle { [texts] row in
            let (kind, page) = description(of: row.favorite)
            return [
                .init(texts(.name), row.favorite.title), .init(texts(.kind), kind, minWidth: 4),
                .init(texts(.webPage), page?.rawValue ?? "", minWidth: 20),
            ]
        } fields: { row in
            let favorite = row.favorite
            let fields =
                favorite.value(as: GitHub.User.self)?.fields
                ?? favorite.value(as: GitHub.Repo.self).map { $0.fields(starCount: $0.starCount) }
                ?? favorite.value(as: RickAndMorty.Character.self)?.fields
                ?? favorite.value(as: AppStore.App.self)?.fields ?? [favorite.title, favorite.id.key]
            return [favorite.kind.rawValue] + fields
        } json: { row in
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
        }
    }

    /// Returns the kind of a favorite, and its page or image.
    private func description(of favorite: Favorite) -> (kind: String, page: WebAddress?) {
        if let user = favorite.value(as: GitHub.User.self) { return (texts.kind(user.kind), user.webPage) }
        if let repo = favorite.value(as: GitHub.Repo.self) { return (texts(.repo), repo.webPage) }
        if let app = favorite.value(as: AppStore.App.self) { return (texts(.app), app.link) }
        return (favorite.kind == .character ? texts(.character) : favorite.kind.rawValue, favorite.image)
    }

    /// Returns a style with the name, some facts with the minimum widths of their columns, and the number.
    private func style<Row: RickAndMortyRow>(
        _ facts: KeyValuePairs<String, Int>,
        name: @escaping (Row) -> String,
        fields: @escaping (Row) -> [String],
        json: @escaping (Row) -> JSON
    ) -> RowStyle<Row> {
        RowStyle(
            cells: { [texts] row in
                let all = row.facts(in: texts)
                let shown = facts.map { id, width in RowStyle<Row>.Cell(all.first { $0.id == id }, minWidth: width) }
                return [.init(texts(.name), name(row))] + shown
                    + [.init(texts(.id), String(row.id.rawValue), isNumeric: true)]
            },
            fields: fields,
            json: json
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

    func json(isFavorite: Bool, starCount: Int?, _ more: [String: JSON] = [:]) -> JSON {
        let fields: [String: JSON] = [
            "full_name": .text(fullName), "name": .text(name), "id": .number(id.rawValue),
            "owner": JSON(owner?.login.rawValue), "description": JSON(summary), "language": JSON(language),
            "topics": .list(topics.map(JSON.text)), "license": JSON(license?.spdxID ?? license?.name),
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
