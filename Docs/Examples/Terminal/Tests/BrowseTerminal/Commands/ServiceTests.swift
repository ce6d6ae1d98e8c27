import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Testing

@Suite("Rick and Morty", .timeLimit(.minutes(5)))
struct RickAndMortyTests {
    private func items(_ run: Run) -> [[String: Any]] { object(run.output)["items"] as? [[String: Any]] ?? [] }

    @Test("has filtered lists, by page or complete")
    func lists() async {
        #expect(items(await browse("characters", "--json")).count == 20)
        let all = items(await browse("characters", "--all", "--json"))
        #expect(all.count == 46)
        #expect(Set(all.compactMap { $0["id"] as? Int }).count == 46)
        let dead = items(await browse("characters", "--status", "dead", "--all", "--json"))
        #expect(!dead.isEmpty && dead.allSatisfy { $0["status"] as? String == "Dead" })
        let table = await browse("characters", onTerminal: true, columns: 60)
        #expect(table.lines.contains { $0.contains("Ada Quark") && $0.contains("Alive") })
        #expect(table.lines.allSatisfy { $0.count <= 60 })
        #expect(await browse("episodes", "--code", "S01E01").output == "A Cold Start\t1\tS01E01\tJune 12, 2013\n")
        // mahkoh/jay#1040
        let episode = items(await browse("episodes", "--code", "S01E01", "--json")).first
        #expect(episode?["air_date"] as? String == "June 12, 2013")
        #expect(items(await browse("locations", "--all", "--json")).count == 41)
    }

    @Test("succeeds without results")
    func nothing() async {
        let run = await browse("characters", "--name", "nobody at all like this")
        #expect(run.outcome == .success && run.errors.contains("No Matches"))
    }

    @Test("shows an item with related items in order")
    func details() async {
        let character = await browse("character", "1", "--locale", "ko")
        #expect(character.lines.contains("name\tAda Quark"))
        let json = object(await browse("character", "1", "--json").output)
        let episodes = (json["item"] as? [String: Any])?["episodes"] as? [Int] ?? []
        let related = json["related"] as? [[String: Any]] ?? []
        #expect(!episodes.isEmpty && related.compactMap { $0["id"] as? Int } == episodes)
        let empty = object(await browse("location", "22", "--json").output)
        #expect((empty["item"] as? [String: Any])?["name"] as? String == "Upper Meadow 22")
        #expect((empty["related"] as? [Any])?.isEmpty == true)
        let page = await browse("episode", "1", onTerminal: true)
        #expect(page.output.contains("A Cold Start") && page.output.contains("Air Date"))
        #expect(await browse("location", "3").outcome == .success)
        for kind in ["character", "episode", "location"] {
            let missing = await browse(kind, "9999")
            #expect(missing.outcome == .notFound && !missing.errors.contains("GitHub"))
            #expect(await browse(kind, "one").outcome == .usage)
        }
    }

    @Test("says that related items couldn't be read, as a list does", arguments: [[], ["--json"], ["--table"]])
    func unreadable(format: [String]) async {
        let memory = Memory()
        let context = ProcessContext(
            environment: [:],
            output: Memory().sink(),
            errors: memory.sink(),
            makeContainer: { configuration, scenario in
                let container = ProcessContext.container(configuration, scenario)
                container.episodeRepository.override { _ in
                    InMemoryEpisodeRepository { _ throws(BrowseError) in
                        let episode = RickAndMorty.Episode(id: RickAndMorty.Episode.ID(rawValue: 1), name: "One")
                        return Page(items: [episode], skipped: SkippedRows(count: 2))
                    }
                }
                return container
            }
        )
        #expect(await Tool.run(["character", "1"] + format, in: context) == .success)
        #expect(memory.text == "browse: 2 rows can’t be read and were skipped.\n")
    }

    @Test("has its own error messages")
    func failures() async {
        #expect(await browse("characters", "--scenario", "offline").outcome == .network)
        let limited = await browse("characters", "--scenario", "rate-limited")
        #expect(limited.outcome == .rateLimited && !limited.errors.contains("GitHub"))
    }
}

@Suite("The App Store", .timeLimit(.minutes(5)))
struct AppStoreTests {
    @Test("shows an app by ID, link, and bundle ID, with its rating as stars")
    func app() async throws {
        let page = await browse("app", "1500000001", "--color", "never", onTerminal: true, columns: 70)
        #expect(page.outcome == .success)
        #expect(page.output.contains("Tea Timer") && page.output.contains("★★★★⯪ 4.7"))
        // The terminal wraps an address.
        #expect(page.lines.allSatisfy { $0.count <= 70 || $0.contains("://") })
        let json = object(await browse("app", "https://apps.apple.com/us/app/x/id1500000001?mt=8", "--json").output)
        #expect(json["id"] as? Int == 1_500_000_001)
        // Copied from a page, with spaces and a direction mark.
        #expect(object(await browse("app", " 1500\u{202E}000001 ", "--json").output)["id"] as? Int == 1_500_000_001)
        for key in ["release_date", "version_date"] { #expect((json[key] as? String)?.hasSuffix("Z") == true) }
        #expect((json["icon"] as? String)?.hasPrefix("https://") == true)
        let bundle = try #require(json["bundle_id"] as? String)
        #expect(object(await browse("app", bundle, "--json").output)["id"] as? Int == 1_500_000_001)
        let korean = await browse("app", "1500000001", "--country", "kr", "--locale", "ko")
        #expect(korean.lines.contains("name\t차 타이머"))
    }

    @Test("rejects text that doesn't identify an app, with a hint")
    func refusals() async {
        let names = ["12x", "https://evil.example/id1", "", "999999999999999999999999999999"]
        for name in names {
            let run = await browse("app", name)
            #expect(run.outcome == .usage, "\(name)")
            #expect(run.errors.count > 12, "\(name)")
        }
        #expect(await browse("apps", "tea", "--country", "korea").outcome == .usage)
        #expect(await browse("apps", " ").outcome == .usage)
        let missing = await browse("app", "42")
        #expect(missing.outcome == .notFound && missing.errors.contains("App Store"))
    }

    @Test("finds apps")
    func search() async {
        let run = await browse("apps", "tea", "--json")
        let items = object(run.output)["items"] as? [[String: Any]] ?? []
        #expect(items.contains { $0["name"] as? String == "Tea Timer" })
        #expect(await browse("apps", "nothing", "like", "this").outcome == .success)
    }

    // latestchatty/latest-chatty-ios#59
    @Test("doesn't claim to show all apps at the limit of results", arguments: [49, 50])
    func limit(count: Int) async {
        let repository = InMemoryAppRepository(
            // The service has more than the limit.
            apps: (1...(count == 50 ? 60 : 49)).map {
                AppStore.App(id: AppStore.AppID(Int64($0)), name: "Tea \($0)")
            }
        )
        let make: ProcessContext.MakeContainer = { configuration, _ in
            let container = Container(configuration)
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
            container.appRepository.override { _ in repository }
            return container
        }
        let summary = count == 50 ? "First 50 results" : "49 results"
        let table = await browse("apps", "tea", onTerminal: true, makeContainer: make)
        #expect(table.lines.dropLast().last?.contains(summary) == true && !table.output.contains("total"))
        for format in [[], ["--json"]] {
            let (output, errors) = (Memory(), Memory())
            let context = ProcessContext(
                environment: [:],
                output: output.sink(),
                errors: errors.sink(),
                makeContainer: make
            )
            #expect(await Tool.run(["apps", "tea"] + format, in: context) == .success)
            #expect(errors.text == (count == 50 ? "browse: First 50 results\n" : ""))
        }
    }

    @Test("looks a link up in the country of the option, or else in its own", arguments: [[], ["--country", "kr"]])
    func linkCountry(options: [String]) async {
        let (memory, link) = (Memory(), "https://apps.apple.com/us/app/x/id1500000001")
        let context = ProcessContext(environment: [:], output: memory.sink(), errors: memory.sink())
        let outcome = await Tool.run(["apps", link, "--verbose", "--locale", "en_GB"] + options, in: context)
        #expect(outcome == .success)
        #expect(memory.text.contains("country=\(options.last ?? "us")"), "\(memory.text)")
    }

    @Test("has favorites next to others, in groups by letter")
    func favorites() async {
        let scratch = Scratch()
        func run(_ arguments: [String]) async -> Run {
            switch arguments.count {
            case 1: await browse("favorites", "add", arguments[0], "--storage", scratch.path)
            default: await browse("favorites", "add", arguments[0], arguments[1], "--storage", scratch.path)
            }
        }
        for arguments in [["octocat"], ["1", "--character"], ["1500000001", "--app"]] {
            #expect(await run(arguments).outcome == .success, "\(arguments)")
        }
        #expect(await run(["rick", "--character"]).outcome == .usage)
        #expect(await run(["12x", "--app"]).outcome == .usage)
        let table = await browse(
            "favorites",
            "--color",
            "never",
            "--storage",
            scratch.path,
            onTerminal: true
        )
        let order = ["A", "Ada Quark", "O", "octocat", "T", "Tea Timer"]
        let places = order.compactMap { name in table.lines.firstIndex { $0.hasPrefix(name) } }
        #expect(places.count == order.count && places == places.sorted())
        let apps = await browse("favorites", "--kind", "app", "--filter", "TEA", "--storage", scratch.path)
        #expect(apps.lines.first?.hasPrefix("app\tTea Timer\t1500000001") == true)
        let marked = await browse("apps", "tea", "--storage", scratch.path, onTerminal: true)
        #expect(marked.output.contains("Tea Timer ♥"))
        let app = await browse("app", "1500000001", "--json", "--storage", scratch.path)
        #expect(object(app.output)["favorite"] as? Bool == true)
        let character = await browse("character", "1", "--json", "--storage", scratch.path)
        #expect((object(character.output)["item"] as? [String: Any])?["favorite"] as? Bool == true)
        let episode = await browse("episode", "1", "--storage", scratch.path, onTerminal: true)
        #expect(episode.output.contains("Ada Quark ♥"))
        #expect(await browse("favorites", "remove", "tea timer", "--storage", scratch.path).outcome == .success)
    }
}
