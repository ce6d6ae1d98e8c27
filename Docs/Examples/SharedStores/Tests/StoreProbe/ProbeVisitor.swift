import BrowseData
import BrowseKit
import Foundation
import RedisStores

/// A visitor of a process, with an open page.
final class ProbeVisitor: Sendable {
    private let id: String
    private let container: Container

    init(_ visitor: String, _ container: Container) {
        id = visitor
        self.container = container
    }

    /// Runs a command, and prints its result.
    func run(_ command: String, _ arguments: [String]) async {
        switch command {
        case "sign-in": await report(command) { try await self.signIn(arguments) }
        case "store": await report(command) { try await self.store(arguments) }
        case "sign-out": await report(command) { try await self.container.gitHubSession().signOut() }
        case "add":
            await report(command) { _ = try await self.container.favoriteRepository().add(Self.favorite(arguments)) }
        case "remove":
            await report(command) {
                _ = try await self.container.favoriteRepository().remove(Self.favorite(arguments).id)
            }
        case "follow": follow()
        case "page": await showPage(of: arguments.first ?? "octocat")
        case "request": await request(Int(arguments.first ?? "") ?? 1)
        default: say("unknown", command)
        }
    }

    private func report(_ command: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            say(command, id, "ok")
        } catch {
            say(command, id, "failed", error)
        }
    }

    private struct WrongArguments: Error {}

    private static func favorite(_ arguments: [String]) -> Favorite {
        let number = Int64(arguments.first ?? "") ?? 0
        return Favorite(GitHub.User(id: GitHub.User.ID(rawValue: number), login: GitHub.Login("user-\(number)")))
    }

    /// `sign-in TOKEN SECONDS`: signs in with a refreshable token that expires after more than a minute.
    private func signIn(_ arguments: [String]) async throws {
        try await container.gitHubSession().signIn(with: Self.credentials(arguments))
    }

    /// `store TOKEN SECONDS`: stores such a token, which may also have expired.
    private func store(_ arguments: [String]) async throws {
        try await container.gitHubTokenStore().save(Self.credentials(arguments))
    }

    private static func credentials(_ arguments: [String]) throws -> Credentials {
        guard arguments.count == 2, let seconds = Double(arguments[1]) else { throw WrongArguments() }
        return Credentials(
            token: try AccessToken(arguments[0]),
            expiresAt: Date(timeIntervalSinceNow: seconds),
            refreshToken: try Secret(arguments[0] + "-refresh")
        )
    }

    /// Prints the visitor's session and changes of favorites.
    private func follow() {
        let (id, sessions, favorites) = (id, container.gitHubSession().sessions, container.favoriteRepository())
        Task {
            for await session in sessions {
                switch session {
                case .ready(let user): say("session", id, "ready", user.login.rawValue)
                case .signedOut(let reason): say("session", id, "signedOut", reason)
                case .unidentified(let error): say("session", id, "unidentified", error)
                case .restoring, .signingIn, .identified: break
                }
            }
        }
        let changes = favorites.changes
        Task {
            say("follow", id, (try? await favorites.ids().count) ?? -1)
            for await change in changes {
                switch change {
                case .added(let favorite): say("change", id, "added", favorite.id.key)
                case .updated(let favorite): say("change", id, "updated", favorite.id.key)
                case .removed(let favorite, _): say("change", id, "removed", favorite.key)
                case .replaced(let ids): say("change", id, "replaced", ids.map(\.key).sorted().joined(separator: ","))
                case .recovered: break
                }
            }
        }
    }

    /// `page LOGIN`: opens an account's code repositories, and prints the starred rows at each change.
    @MainActor private func showPage(of login: String) async {
        let screen = container.repoListViewModel()
        let states = screen.states
        Task { [id] in
            var last: [Int64]?
            for await state in states {
                guard !state.content.rows.isEmpty else { continue }
                let starred = state.content.rows.filter(\.isStarred).map(\.repo.id.rawValue)
                if starred != last { say("page", id, "starred", starred.map(String.init).joined(separator: ",")) }
                last = starred
                withExtendedLifetime(screen) {}
            }
        }
        await screen.show(.publicRepos(of: GitHub.Login(login)))
        say("page", id, "rows", screen.state.content.rows.count)
    }

    /// `request COUNT`: reads the user's own profile a number of times at once.
    private func request(_ count: Int) async {
        let users = container.userRepository()
        let failures = await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { () -> String? in
                    do throws(BrowseError) {
                        _ = try await users.ownProfile()
                        return nil
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
        }
        say("request", id, count - failures.count, failures.first ?? "")
    }
}
