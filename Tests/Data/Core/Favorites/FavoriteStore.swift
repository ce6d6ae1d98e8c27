import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import TestSupport

import BrowseData

/// The two favorites repositories, which must behave the same.
enum FavoriteStore: CaseIterable, Sendable {
    case memory
    case database

    /// Creates an empty repository and its temporary folder.
    func make(pageSize: Int = 100) -> (favorites: any FavoriteRepository, folder: TemporaryFolder) {
        let folder = TemporaryFolder()
        switch self {
        case .memory: return (InMemoryFavoriteRepository(pageSize: pageSize), folder)
        case .database: return (SQLiteFavoriteRepository(folder: folder.url, pageSize: pageSize), folder)
        }
    }
}

extension Favorite {
    static func user(_ number: Int64, _ login: String? = nil) -> Favorite {
        Favorite(GitHub.User(id: .init(rawValue: number), login: .init(login ?? "user-\(number)")))
    }

    static func repo(_ number: Int64, _ fullName: String) -> Favorite {
        let name = fullName.split(separator: "/").last.map(String.init) ?? fullName
        return Favorite(GitHub.Repo(id: .init(rawValue: number), name: name, fullName: fullName))
    }
}

extension Favorite.Kind {
    /// The SDK's kinds, and one of another module.
    static let samples: [Favorite.Kind] = [.user, .repo, .character, .app, Note.favoriteKind]
}

extension Favorite {
    /// A favorite with only a name.
    static func sample(_ kind: Kind, _ number: Int64, _ name: String) -> Favorite {
        switch kind {
        case .user: .user(number, name)
        case .repo: .repo(number, name)
        case .character: Favorite(RickAndMorty.Character(id: .init(rawValue: number), name: name))
        case .app: Favorite(AppStore.App(id: AppStore.AppID(number), name: name))
        default: Favorite(Note(key: "note \(number)", text: name))
        }
    }
}

/// An entity of another service with text identifiers.
struct Note: Favoritable, Hashable {
    static let favoriteKind = Favorite.Kind(rawValue: "example.note")
    let key: String
    let text: String

    var favoriteKey: String { key }
    var favoriteTitle: String { text }

    init(key: String, text: String) {
        self.key = key
        self.text = text
    }
}

extension FavoriteRepository {
    /// All favorites, from all pages.
    func all(_ query: FavoriteQuery = FavoriteQuery()) async throws -> [Favorite] {
        var rows: [Favorite] = []
        var cursor: PageCursor?
        repeat {
            let page = try await page(of: query, at: cursor)
            rows += page.items
            cursor = page.next
        } while cursor != nil
        return rows
    }
}
