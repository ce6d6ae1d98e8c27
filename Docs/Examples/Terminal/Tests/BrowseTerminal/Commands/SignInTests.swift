import BrowseKit
import BrowseMocks
import BrowseTerminal
import Foundation
import Synchronization
import Testing

@Suite("Signing in", .timeLimit(.minutes(5)))
struct SignInTests {
    private let scratch = Scratch()
    private let gitHub: OfflineGitHub
    /// Creates a container for each run, on the same GitHub and without delays.
    private let make: ProcessContext.MakeContainer

    init() {
        let gitHub = OfflineGitHub()
        self.gitHub = gitHub
        make = { configuration, _ in
            var configuration = configuration
            configuration.clock = ImmediateClock()
            configuration.retries = .never
            gitHub.adjust(&configuration)
            return Container.production(on: gitHub.transport(clock: ContinuousClock()), configuration: configuration)
        }
    }

    private func run(_ arguments: String..., environment: [String: String] = [:], onTerminal: Bool = false) async -> Run
    {
        switch arguments.count {
        case 1:
            await browse(
                arguments[0],
                "--storage",
                scratch.path,
                onTerminal: onTerminal,
                environment: environment,
                makeContainer: make
            )
        case 2:
            await browse(
                arguments[0],
                arguments[1],
                "--storage",
                scratch.path,
                onTerminal: onTerminal,
                environment: environment,
                makeContainer: make
            )
        default:
            await browse(
                arguments[0],
                arguments[1],
                arguments[2],
                "--storage",
                scratch.path,
                onTerminal: onTerminal,
                environment: environment,
                makeContainer: make
            )
        }
    }

    @Test("shows a code, waits, and stays signed in until signed out")
    func story() async throws {
        let nobody = await run("whoami")
        #expect(nobody.outcome == .access && nobody.errors.contains("browse login"))
        let login = await run("login")
        #expect(login.outcome == .success)
        #expect(login.errors.contains("Enter WDJB-MJHT at https://github.com/login/device"))
        #expect(login.output == "Signed in as octocat.\n")
        #expect(await run("whoami").output == "octocat\t583231\n")
        #expect(await run("whoami", onTerminal: true).output == "octocat\n")
        #expect(await run("whoami", "--locale", "ko", onTerminal: true).output == "octocat\n")

        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        let session = try #require(files.first { $0.hasPrefix("session-") && $0.hasSuffix(".json") })
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + session)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        #expect(await run("logout").output == "Signed out.\n")
        #expect(await run("logout").output == "You weren’t signed in.\n")
        #expect(await run("whoami").outcome == .access)
        #expect(await run("logout", "--json").output == "{\"signed_out\":false}\n")
    }

    @Test("shows the present name of an account that was renamed, and else that the name is a saved one")
    func renamed() async {
        _ = await run("login")
        let answer = Mutex(ScriptedServer.Response.failure(.notConnectedToInternet))
        gitHub.scenarios.script.on(.get, "/user", response: .computed { _ in answer.withLock(\.self) })
        let offline = await run("whoami")
        #expect(offline.output == "octocat\t583231\n" && offline.errors.contains("Saved copy"))
        #expect(object(await run("whoami", "--json").output)["source"] as? String == "saved")
        answer.withLock { $0 = .json(#"{"id": 583231, "login": "mona", "type": "User"}"#, headers: .gitHub) }
        let online = await run("whoami")
        #expect(online.output == "mona\t583231\n" && online.errors.isEmpty)
        answer.withLock { $0 = .json(#"{"message": "Bad credentials"}"#, status: 401, headers: .gitHub) }
        #expect(await run("whoami").outcome == .access)
    }

    @Test("writes the code and the account for programs")
    func json() async {
        let login = await run("login", "--json")
        #expect(object(login.errors)["user_code"] as? String == "WDJB-MJHT")
        #expect(object(login.output)["login"] as? String == "octocat")
    }

    @Test("isn't saved without a folder, and says so")
    func forgotten() async {
        let login = await browse("login", makeContainer: make)
        #expect(login.outcome == .success && login.errors.contains("--storage"))
    }

    // cli/cli#2304 and cli/cli#3799
    @Test("isn't begun or ended beside a token of the environment, which would replace it")
    func environmentToken() async {
        _ = await run("login")
        func besideToken(_ command: String) async -> Run {
            await browse(
                command,
                "--token-env",
                "TOKEN",
                "--storage",
                scratch.path,
                environment: ["TOKEN": "gho_offline_haneul-kim_1"],
                makeContainer: make
            )
        }
        let login = await besideToken("login")
        #expect(login.outcome == .usage && login.errors.contains("--token-env") && login.output.isEmpty)
        let logout = await besideToken("logout")
        #expect(logout.outcome == .success && logout.output.hasPrefix("The token isn’t saved"))
        #expect(await run("whoami").output == "octocat\t583231\n")
    }

    @Test("requires the ID of an app for a real server")
    func notConfigured() async {
        let login = await browse("login", "--base-url", "http://127.0.0.1:1", makeContainer: ProcessContext.container)
        #expect(login.outcome == .access)
        #expect(login.errors.contains("isn’t set up"))
    }

    @Test("unstars a repository although the stars can't be read")
    func unknownStars() async {
        let name = "octocat/hello-tentacles"
        _ = await run("login")
        _ = await run("star", name)
        gitHub.scenarios.script.on(.get, "/user/starred", times: .any, response: .status(502, headers: .gitHub))
        #expect(await run("unstar", name).output == "Unstarred \(name).\n")
        #expect(await run("star", name).output == "Starred \(name).\n")
    }

    @Test("says that it ended while a star was saved")
    func endedSession() async {
        let make: ProcessContext.MakeContainer = { configuration, scenario in
            let container = ProcessContext.container(configuration, scenario)
            container.starRepository.override { container in
                InMemoryStarRepository { call throws(BrowseError) in
                    guard case .set = call else { return nil }
                    try await container.gitHubSession().signOut()
                    throw .cancelled
                }
            }
            return container
        }
        let run = await browse(
            "star",
            "octocat/hello-tentacles",
            "--token-env",
            "TOKEN",
            environment: ["TOKEN": "gho_offline_octocat_1"],
            makeContainer: make
        )
        #expect(run.outcome == .access && !run.errors.contains("Stopped"), "\(run.errors)")
    }

    @Test("stars and unstars repositories in every list")
    func stars() async throws {
        let name = "octocat/hello-worId"
        #expect(await run("star", name).outcome == .access)
        _ = await run("login")
        #expect(await run("star", "nothing").outcome == .usage)
        #expect(await run("star", "nobody/nothing").outcome == .notFound)
        let list = object(await run("repos", "octocat", "--json").output)["items"] as? [[String: Any]] ?? []
        let repo = try #require(list.first { $0["starred"] as? Bool == false })
        let fullName = try #require(repo["full_name"] as? String)
        let count = try #require(repo["stars"] as? Int)

        #expect(await run("star", fullName).output == "Starred \(fullName).\n")
        #expect(await run("star", fullName).output == "\(fullName) is already starred.\n")
        let starred = object(await run("starred", "--json").output)["items"] as? [[String: Any]] ?? []
        #expect(starred.first?["full_name"] as? String == fullName)
        #expect(starred.first?["stars"] as? Int == count + 1)
        let table = await run("repos", "octocat", onTerminal: true)
        #expect(table.lines.contains { $0.contains(fullName) && $0.contains("★") })

        let undone = await run("unstar", fullName, "--json")
        #expect(object(undone.output)["changed"] as? Bool == true)
        #expect(await run("unstar", fullName).output == "\(fullName) isn’t starred.\n")
        let after = object(await run("repos", "octocat", "--json").output)["items"] as? [[String: Any]] ?? []
        let again = try #require(after.first { $0["full_name"] as? String == fullName })
        #expect(again["stars"] as? Int == count && again["starred"] as? Bool == false)
    }
}
