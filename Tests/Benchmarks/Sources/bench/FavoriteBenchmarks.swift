import BrowseData
import BrowseDomain
import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
@testable import BrowsePresentation
import Foundation

/// The cost of 10,000 favorites, compared with SQLite's C functions on the same table.
enum FavoriteBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "favorites-toggle", rounds: 9, body: toggle),
            Benchmark(name: "favorites-filter", rounds: 15, body: filter),
            Benchmark(name: "favorites-open", rounds: 25, body: open),
        ]
    }

    private static let count = 10_000

    /// A temporary folder with a favorites file, deleted with the value.
    private final class Folder: Sendable {
        let url: URL

        init() async throws {
            url = FileManager.default.temporaryDirectory
                .appending(path: "bench-\(UUID().uuidString)", directoryHint: .isDirectory)
            // The SDK creates the file and the table.
            _ = try await SQLiteFavoriteRepository(folder: url).ids()
            // Names with all initial letters, unordered.
            let letters = Array("abcdefghijklmnopqrstuvwxyz")
            let users = Samples.users(0..<count).enumerated().map { index, user in
                GitHub.User(
                    id: user.id,
                    login: GitHub.Login("\(letters[index * 7 % 26])\(letters[index * 11 % 26])-\(user.login)"),
                    avatar: user.avatar,
                    webPage: user.webPage
                )
            }
            try BareFavorites(file).fill(users)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        var file: URL { url.appending(path: "favorites.sqlite") }

        /// Waits until the last connection is closed, so that deleting the log isn't measured.
        func waitUntilClosed() async throws {
            let log = url.appending(path: "favorites.sqlite-wal").path
            while FileManager.default.fileExists(atPath: log) { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// A pair is the median of 100 toggles for each side, in separate files.
    @concurrent
    private static func toggle(_ run: Run) async throws -> [Comparison] {
        let (folder, other) = (try await Folder(), try await Folder())
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        let bare = try BareFavorites(other.file)
        let favorite = Favorite(
            GitHub.User(
                id: GitHub.User.ID(rawValue: 1),
                login: GitHub.Login("someone"),
                avatar: WebAddress(rawValue: "https://example.com/a.png"),
                webPage: WebAddress(rawValue: "https://example.com")
            )
        )
        return [
            try await .measure(
                "favorites-toggle: 10,000 stored / bare write",
                .wall,
                bound: .excess(1e-3),
                rounds: run.rounds
            ) {
                var seconds: [Double] = []
                for index in 0..<100 {
                    seconds.append(
                        try await wallSeconds {
                            let isFavorite = index % 2 == 1
                            _ = try await isFavorite ? favorites.remove(favorite.id) : favorites.add(favorite)
                        }
                    )
                }
                return seconds.median
            } bare: {
                var seconds: [Double] = []
                for index in 0..<100 {
                    seconds.append(try await wallSeconds { try bare.toggle(1, isIn: index % 2 == 1) })
                }
                return seconds.median
            }
        ]
    }

    /// One page of matches. No match is the worst case, because all names are compared.
    @concurrent
    private static func filter(_ run: Run) async throws -> [Comparison] {
        let folder = try await Folder()
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        let bare = try BareFavorites(folder.file)
        var comparisons: [Comparison] = []
        for (name, text) in [("prefix", "hl-f"), ("part", "-codes"), ("nothing", "nobody-here")] {
            let query = FavoriteQuery(filter: text, order: .name)
            let found = try await favorites.page(of: query, at: nil).items.map(\.title)
            guard found == (try bare.firstRows("instr(folded, ?1) > 0", text).map { $0[2] }) else {
                throw BenchFailure("the sides find different rows for \(text)")
            }
            comparisons.append(
                try await .measure(
                    "favorites-filter: \(name), \(found.count) on the page",
                    .wall,
                    bound: .most(8.3e-3),
                    rounds: run.rounds
                ) {
                    try await wallSeconds { keep(try await favorites.page(of: query, at: nil)) }
                } bare: {
                    try await wallSeconds { keep(try bare.firstRows("instr(folded, ?1) > 0", text)) }
                }
            )
        }
        return comparisons
    }

    /// From opening the file to the first 100 rows.
    ///
    /// Bare is opening the file, one query, and the text of its rows.
    @concurrent
    private static func open(_ run: Run) async throws -> [Comparison] {
        let folder = try await Folder()
        func bare() async throws -> Double {
            try await folder.waitUntilClosed()
            return try await wallSeconds { keep(try BareFavorites(folder.file).firstRows()) }
        }
        return [
            try await .measure("favorites-open: first page / bare query", .wall, bound: .most(0.01), rounds: run.rounds)
            {
                try await folder.waitUntilClosed()
                return try await wallSeconds {
                    let favorites = SQLiteFavoriteRepository(folder: folder.url)
                    keep(try await favorites.page(of: FavoriteQuery(order: .name), at: nil))
                }
            } bare: {
                try await bare()
            },
            try await .measure(
                "favorites-open: first screen / bare query",
                .wall,
                bound: .most(0.01),
                rounds: run.rounds
            ) {
                try await folder.waitUntilClosed()
                return try await screen(folder.url)
            } bare: {
                try await bare()
            },
        ]
    }

    @MainActor
    private static func screen(_ folder: URL) async throws -> Double {
        var count = 0
        let seconds = await wallSeconds {
            let favorites = SQLiteFavoriteRepository(folder: folder)
            let model = FavoriteListViewModel(
                favorites: favorites,
                kinds: FavoriteKind.gitHub,
                options: ScreenOptions(texts: Samples.texts)
            )
            await model.show()
            count = model.state.content.rows.count
        }
        guard count == 100 else { throw BenchFailure("the screen shows \(count) rows") }
        return seconds
    }
}
