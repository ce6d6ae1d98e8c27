import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("Favorites", .timeLimit(.minutes(5)))
struct FavoritesTests {
    private let scratch = Scratch()

    @Test("are stored in a folder, and listed in order of adding or in groups by letter")
    func kept() async throws {
        let repo = try #require(
            await browse("repos", "octocat").lines.first?.split(separator: "\t").first.map(String.init)
        )
        for name in ["octocat", repo, "haneul-kim"] {
            let run = await browse("favorites", "add", name, "--storage", scratch.path)
            #expect(run.outcome == .success)
            #expect(run.output == "Added \(name) to favorites.\n")
            #expect(run.errors.isEmpty)
        }
        let added = await browse("favorites", "list", "--order", "added", "--storage", scratch.path)
        #expect(added.lines.dropLast().map { $0.split(separator: "\t")[1] } == ["octocat", repo[...], "haneul-kim"])
        #expect(added.lines[0] == "user\toctocat\t583231\tUser\thttps://github.com/octocat")
        let table = await browse(
            "favorites",
            onTerminal: true,
            environment: ["BROWSE_STORAGE": scratch.path, "NO_COLOR": "1"]
        )
        let names = table.lines.map { $0.prefix { $0 != " " } }
        #expect(names.dropLast(2).filter { $0.count == 1 } == ["H", "O"])
        #expect(table.lines.contains("3 total"))
        let users = await browse("favorites", "list", "--kind", "user", "--filter", "OCTO", "--storage", scratch.path)
        #expect(users.lines.dropLast().count == 1)
    }

    @Test("report an item that is there already, or isn't there")
    func already() async {
        _ = await browse("favorites", "add", "octocat", "--storage", scratch.path)
        let again = await browse("favorites", "add", "octocat", "--storage", scratch.path)
        #expect(again.outcome == .success)
        #expect(again.output == "octocat is already a favorite.\n")
        let json = await browse("favorites", "add", "octocat", "--storage", scratch.path, "--json")
        #expect(object(json.output)["changed"] as? Bool == false)
        let other = await browse("favorites", "remove", "octo", "--storage", scratch.path)
        #expect(other.outcome == .notFound)
        #expect(other.errors == "browse: octo isn’t a favorite.\n")
        let gone = await browse("favorites", "remove", "OCTOCAT", "--storage", scratch.path, "--locale", "ko")
        #expect(gone.output == "즐겨찾기에서 삭제했습니다: octocat\n")
        let empty = await browse("favorites", "--storage", scratch.path)
        #expect(empty.outcome == .success)
        #expect(empty.errors == "browse: No Favorites: Items you add to your favorites appear here.\n")
    }

    /// osmandapp/OsmAnd#9990
    @Test("with one name are removed by their kind and number")
    func several() async throws {
        let favorites = InMemoryFavoriteRepository()
        _ = try await favorites.add(Favorite(GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("tea"))))
        _ = try await favorites.add(Favorite(AppStore.App(id: AppStore.AppID(7), name: "Tea")))
        let ids = try await favorites.ids()
        func remove(_ name: String) async -> Run {
            await browse("favorites", "remove", name) { configuration, _ in
                let container = Container.offline(configuration: configuration)
                container.favoriteRepository.override { _ in favorites }
                return container
            }
        }
        let run = await remove("TEA")
        #expect(run.outcome == .usage && ids.allSatisfy { run.errors.contains($0.description) })
        let app = try #require(ids.first { $0.key != "1" })
        #expect(await remove(app.description).outcome == .success)
        #expect(try await favorites.ids() == ids.filter { $0 != app })
    }

    @Test("that can't be read aren't called missing")
    func unreadable() async throws {
        let favorites = InMemoryFavoriteRepository(pageSize: 1) { call throws(BrowseError) in
            guard case .page(of: _, at: .some) = call else { return nil }
            throw .storageFailed(StorageFailure(reason: .busy, file: "favorites.sqlite"))
        }
        for (id, login) in [(1, "tea"), (2, "rain")] {
            _ = try await favorites.add(Favorite(user(Int64(id), login)))
        }
        let run = await browse("favorites", "remove", "rain") { configuration, _ in
            let container = Container.offline(configuration: configuration)
            container.favoriteRepository.override { _ in favorites }
            return container
        }
        #expect(run.outcome == .storage && !run.errors.contains("isn’t a favorite"))
    }

    @Test("are marked in every list")
    func marked() async {
        _ = await browse("favorites", "add", "haneul-kim", "--storage", scratch.path)
        let table = await browse("following", "octocat", "--storage", scratch.path, onTerminal: true)
        #expect(table.lines.filter { $0.contains("♥") }.map { $0.prefix { $0 != " " } } == ["haneul-kim"])
        let json = await browse("search", "users", "haneul", "--json", "--storage", scratch.path)
        let items = object(json.output)["items"] as? [[String: Any]] ?? []
        #expect(items.filter { $0["favorite"] as? Bool == true }.count == 1)
        let profile = await browse("profile", "haneul-kim", "--json", "--storage", scratch.path)
        #expect((object(profile.output)["user"] as? [String: Any])?["favorite"] as? Bool == true)
    }

    @Test("in memory aren't saved, and the tool says so")
    func forgotten() async {
        let run = await browse("favorites", "add", "octocat")
        #expect(run.outcome == .success)
        #expect(run.errors.contains("--storage"))
        #expect(await browse("favorites").output.isEmpty)
    }

    @Test("of a pasted address are what it leads to")
    func addresses() async {
        for (address, name) in [
            ("https://github.com/octocat/linguist-fork", "octocat/linguist-fork"), ("github.com/octocat", "octocat"),
        ] {
            let added = await browse("favorites", "add", address, "--storage", scratch.path)
            #expect(added.output == "Added \(name) to favorites.\n")
            let removed = await browse("favorites", "remove", address, "--storage", scratch.path)
            #expect(removed.output == "Removed \(name) from favorites.\n")
        }
    }

    @Test(
        "are removed by what added them",
        arguments: [
            ("--app", "https://apps.apple.com/us/app/x/id1500000001?mt=8"), ("--app", "1500000001"),
            ("--app", "com.example.TeaTimer"), ("--character", "1"),
        ]
    )
    func asAdded(flag: String, name: String) async {
        #expect(await browse("favorites", "add", flag, name, "--storage", scratch.path).outcome == .success)
        #expect(await browse("favorites", "remove", name, "--storage", scratch.path).outcome == .success)
        #expect(await browse("favorites", "--storage", scratch.path).output.isEmpty)
    }

    @Test("of unknown accounts aren't added")
    func nobody() async {
        #expect(await browse("favorites", "add", "nobody-here").outcome == .notFound)
        #expect(await browse("favorites", "add", "nobody/nothing").outcome == .notFound)
        #expect(await browse("favorites", "add", "-x").outcome == .usage)
        #expect(await browse("favorites", "add", "octocat", "--scenario", "offline").outcome == .network)
    }

    @Test("that can't be stored have their own exit code")
    func storage() async throws {
        try Data().write(to: URL(filePath: scratch.path))
        for arguments in [["list"], ["add", "octocat"], ["remove", "octocat"]] {
            let run =
                arguments.count == 1
                ? await browse("favorites", "list", "--storage", scratch.path + "/below")
                : await browse("favorites", arguments[0], arguments[1], "--storage", scratch.path + "/below")
            #expect(run.outcome.code == 8, "\(arguments)")
            #expect(
                run.errors
                    == "browse: Storage Error: This app can’t write to its storage. Check the permissions and try again.\n"
            )
        }
        // Other commands don't need storage.
        #expect(await browse("following", "octocat", "--storage", scratch.path + "/below").outcome == .success)
    }

    @Test("move a damaged file aside, with a notice")
    func rescued() async throws {
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        // Before the first run: a file in use must not be overwritten.
        try Data("not a database".utf8).write(to: URL(filePath: scratch.path + "/favorites.sqlite"))
        let run = await browse("favorites", "--storage", scratch.path)
        #expect(run.outcome == .success)
        #expect(run.errors.contains("favorites-damaged-1.sqlite"))
    }

    @Test("are listed and removed offline")
    func offline() async {
        _ = await browse("favorites", "add", "octocat", "--storage", scratch.path)
        let run = await browse("favorites", "--scenario", "offline", "--storage", scratch.path)
        #expect(run.outcome == .success)
        #expect(run.lines.count == 2)
        let gone = await browse("favorites", "remove", "octocat", "--scenario", "offline", "--storage", scratch.path)
        #expect(gone.outcome == .success)
    }

    @Test("in JSON have escaped control characters")
    func escapes() async {
        let evil = GitHub.Repo(id: .init(rawValue: 1), name: "x", fullName: "a/x") {
            $0.summary = "\u{9B}31m\u{202E}red\u{1B}[0m"
            $0.updatedAt = Date(timeIntervalSince1970: 0)
        }
        let run = await browse("search", "repos", "a", "--json", onTerminal: true) { configuration, _ in
            let container = Container.offline(configuration: configuration)
            container.repoRepository.override { _ in InMemoryRepoRepository(repos: [evil]) }
            return container
        }
        #expect(controls(in: run.output).isEmpty)
        let items = object(run.output)["items"] as? [[String: Any]] ?? []
        #expect(items.first?["description"] as? String == evil.summary)
        #expect(items.first?["updated_at"] as? String == "1970-01-01T00:00:00Z")
    }
}
