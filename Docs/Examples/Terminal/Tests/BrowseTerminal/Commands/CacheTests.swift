import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Synchronization
import Testing

@Suite("Cached data", .timeLimit(.minutes(5)))
struct KeptTests {
    private let scratch = Scratch()
    private let world = World()

    /// Runs the tool on bundled data with a storage folder.
    private func run(_ arguments: String..., onTerminal: Bool = false, environment: [String: String] = [:]) async -> Run
    {
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: environment.merging(["BROWSE_STORAGE": scratch.path, "NO_COLOR": "1"]) { $1 },
            output: output.sink(isTerminal: onTerminal),
            errors: errors.sink(),
            makeContainer: world.makeContainer
        )
        let outcome = await Tool.run(arguments, in: context)
        return Run(outcome: outcome, output: output.text, errors: errors.text)
    }

    @Test("is shown with its age above the rows if there is no connection", arguments: ["en", "ko"])
    func offlineTable(locale: String) async {
        let before = await run("followers", "octocat", "--locale", locale, onTerminal: true)
        world.pass(200)
        let after = await run(
            "followers",
            "octocat",
            "--locale",
            locale,
            "--scenario",
            "offline",
            onTerminal: true
        )
        #expect(after.outcome == .success)
        #expect(after.lines[0] == before.lines[0] && after.lines.dropFirst(2) == before.lines.dropFirst(1))
        #expect(after.lines[1].hasPrefix(locale == "ko" ? "최신 정보가 아닐 수 있음. " : "May be out of date. Last updated "))
        #expect(after.lines[1].hasSuffix(locale == "ko" ? " · 3분 전" : " · 3 minutes ago"))
        #expect(after.errors.isEmpty)
    }

    @Test("is unchanged for programs, with its age on the error output")
    func offlineLines() async {
        for command in [
            ["followers", "octocat"], ["profile", "octocat"], ["character", "1"], ["app", "1500000001"],
        ] {
            let before = await run(command[0], command[1])
            #expect(!before.errors.contains("Last updated"))
            world.pass(7300)
            let after = await run(command[0], command[1], "--scenario", "offline")
            #expect(after.outcome == .success && after.output == before.output && !after.output.isEmpty)
            #expect(after.errors.contains(" · 2 hours ago\n"), "\(command): \(after.errors)")
        }
        _ = await run("followers", "lonely")
        let empty = await run("followers", "lonely", "--scenario", "offline")
        #expect(empty.errors.contains("just now") && empty.outcome == .success)
    }

    @Test("has its source and time in JSON")
    func source() async throws {
        for command in [["followers", "octocat"], ["profile", "octocat"], ["episode", "1"]] {
            func source(_ more: String...) async -> [String] {
                let json = object(await Tool.runForJSON(command + more + ["--json"], scratch, world).output)
                return [json["source"] as? String ?? "?", json["since"] as? String ?? "null"]
            }
            let since = world.now.formatted(.iso8601)
            #expect(await source() == ["fresh", "null"])
            #expect(await source() == ["revalidated", "null"])
            world.pass(60)
            #expect(await source("--offline") == ["offline", since])
            #expect(await source("--cached") == ["stale", since])
            #expect(await source("--scenario", "offline") == ["offline", since])
        }
        let kept = object(await run("favorites", "--json").output)
        #expect(kept["items"] != nil && kept["source"] == nil)
    }

    @Test("is all that --offline shows, without a request")
    func offline() async {
        _ = await run("followers", "octocat", "--all")
        let sent = world.sent
        let run = await run("followers", "octocat", "--all", "--offline")
        #expect(run.lines.count == 258 && run.outcome == .success)
        #expect(run.errors.contains("May be out of date. Last updated"))
        let nothing = await self.run("profile", "octocat", "--offline")
        #expect(nothing.outcome == .network && nothing.output.isEmpty)
        #expect(nothing.errors.contains("This isn’t available offline"))
        #expect(await self.run("favorites", "add", "octocat", "--offline").outcome == .network)
        #expect(world.sent == sent)
    }

    @Test("is shown by --cached, and never mixed with fresh data")
    func cached() async {
        // Only the first page is cached.
        _ = await run("followers", "octocat")
        #expect(world.sent == 1)
        let first = await run("followers", "octocat", "--cached", onTerminal: true)
        #expect(world.sent == 1)
        #expect(first.lines[1].hasPrefix("Last updated ") && first.lines[1].hasSuffix("just now"))
        let all = await run("followers", "octocat", "--all", "--cached", onTerminal: true)
        #expect(world.sent == 4 && all.lines[1].isEmpty && all.errors.isEmpty)
        #expect(all.output.contains("257 total"))
        let profile = await run("profile", "octocat", "--cached")
        #expect(profile.outcome == .success && profile.errors.isEmpty && world.sent == 5)
        let nobody = await run("profile", "nobody-here", "--cached")
        #expect(nobody.outcome == .notFound && nobody.errors.count { $0 == "\n" } == 1)
        let away = await run("profile", "haneul-kim", "--cached", "--scenario", "offline")
        #expect(away.outcome == .network && away.errors.contains("No Connection: "))
    }

    @Test("includes private data, for its account only")
    func accounts() async {
        func own(_ more: String...) async -> Run {
            await Tool.runForJSON(
                ["profile", "--token-env", "T"] + more,
                scratch,
                world,
                ["T": "gho_offline_octocat_1"]
            )
        }
        let before = await own()
        #expect(before.outcome == .success && before.lines[0] == "login\toctocat")
        for flag in ["--offline", "--cached"] {
            let after = await own(flag)
            #expect(after.output == before.output && after.errors.contains("Last updated"), "\(after.errors)")
        }
        let down = await own("--scenario", "offline")
        #expect(down.output == before.output && down.errors.contains("May be out of date. Last updated"))
        let other = await run("profile", "--offline", "--token-env", "T", environment: ["T": "gho_offline_octocat_2"])
        #expect(other.outcome == .network && other.output.isEmpty)
        #expect(await run("profile", "--offline").outcome == .access)
    }

    @Test("of the bundled data is separate from that of the real services")
    func apart() async {
        _ = await run("followers", "octocat")
        let live = await run("followers", "octocat", "--live", "--offline")
        #expect(live.outcome == .network && live.output.isEmpty)
    }

    @Test("doesn't exist without a folder, and the message says so", arguments: ["en", "ko"])
    func nothingCached(locale: String) async {
        let run = await browse("profile", "octocat", "--offline", "--locale", locale)
        #expect(run.outcome == .network && run.errors.contains("--storage"))
    }

    @Test(
        "can't be combined with conflicting options, or commands that need the server",
        arguments: [
            ["profile", "octocat", "--offline", "--cached"], ["profile", "octocat", "--offline", "--scenario", "slow"],
            ["limits", "--offline"], ["limits", "--cached"], ["login", "--offline"], ["logout", "--cached"],
            ["star", "a/b", "--offline"], ["unstar", "a/b", "--cached"],
        ]
    )
    func conflicts(arguments: [String]) async {
        let run = await Tool.runForJSON(arguments, scratch, world)
        #expect(run.outcome == .usage && run.errors.hasPrefix("Error: ") && run.errors.contains("--offline"))
        #expect(world.sent == 0)
    }

    @Test(
        "has an age in words",
        arguments: [
            (0, "just now", "방금"), (-0.9, "just now", "방금"), (-1, "1 second ago", "1초 전"),
            (-59, "59 seconds ago", "59초 전"), (-119, "1 minute ago", "1분 전"), (-3599, "59 minutes ago", "59분 전"),
            (-86_399, "23 hours ago", "23시간 전"), (-864_000, "10 days ago", "10일 전"), (700, "in 12 minutes", "12분 후"),
            // authgear/authgear-server#3220
            (1.5, "in 2 seconds", "2초 후"), (59.5, "in 1 minute", "1분 후"), (60, "in 1 minute", "1분 후"),
            (3_541, "in 1 hour", "1시간 후"), (3_601, "in 1 hour", "1시간 후"),
            (-1e300, "1,157,407 days ago", "1,157,407일 전"),
        ] as [(TimeInterval, String, String)]
    )
    func ages(seconds: TimeInterval, english: String, korean: String) {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt).relative(date, to: now) == english)
        #expect(Texts(locale: Locale(identifier: "ko_KR"), timeZone: .gmt).relative(date, to: now) == korean)
    }
}

/// The time, and how much was sent, in a test's runs.
final class World: Sendable {
    private let state = Mutex((now: Date(timeIntervalSince1970: 1_800_000_000), sent: 0))

    var now: Date { state.withLock { $0.now } }
    var sent: Int { state.withLock { $0.sent } }

    func pass(_ seconds: TimeInterval) {
        state.withLock { $0.now += seconds }
    }

    var makeContainer: ProcessContext.MakeContainer {
        { [self] configuration, scenario in
            var configuration = configuration
            configuration.now = { [self] in now }
            // Waits for the disk have no limit, however busy the machine is.
            configuration.clock = ImmediateClock()
            let container = ProcessContext.container(configuration, scenario)
            // From another container, because a slot can't be overridden after its first use.
            let transport = ProcessContext.container(configuration, scenario).transport()
            container.transport.override { [self] _ in
                Counting(next: transport) { [self] in state.withLock { $0.sent += 1 } }
            }
            return container
        }
    }

    private struct Counting: HTTPTransport {
        let next: any HTTPTransport
        let count: @Sendable () -> Void

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            count()
            return try await next.send(request)
        }
    }
}

extension Tool {
    /// Runs the tool with an array of arguments.
    @MainActor
    static func runForJSON(
        _ arguments: [String],
        _ scratch: Scratch,
        _ world: World,
        _ environment: [String: String] = [:]
    ) async -> Run {
        let (output, errors) = (Memory(), Memory())
        let context = ProcessContext(
            environment: environment.merging(["BROWSE_STORAGE": scratch.path]) { $1 },
            output: output.sink(),
            errors: errors.sink(),
            makeContainer: world.makeContainer
        )
        let outcome = await run(arguments, in: context)
        return Run(outcome: outcome, output: output.text, errors: errors.text)
    }
}
