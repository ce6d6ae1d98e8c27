import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import TestSupport
import Testing

/// The README, the star, the favorite, and the session change one screen, in any order.
@MainActor @Suite(.bounded)
struct `A repository with its README` {
    @Test(arguments: 0..<UInt64(rounds(100)))
    func `loads or shows both, and its star, after any sequence of calls`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let repos = InMemoryRepoRepository { [gate = run.gate] call throws(BrowseError) in
            let version = try await gate.pass()
            guard case .details(of: let id) = call else { return nil }
            return Page(items: [GitHub.Repo(id: id, name: "r", fullName: "o/r") { $0.starCount = version / 10 }])
        }
        let stars = InMemoryStarRepository { [gate = run.gate] _ throws(BrowseError) in
            try await gate.pass()
            return nil
        }
        let user = GitHub.User.sample(1)
        let session = GitHub.SessionManager.inMemory(user, stars: stars, clock: ImmediateClock())
        let options = ScreenOptions.english.with(InMemoryFavoriteRepository())
        let model = RepoDetailViewModel(repository: repos, session: session, options: options)
        let credentials = Credentials(token: try Secret("token"), user: user)
        func id() -> GitHub.Repo.ID { .init(rawValue: Int64.random(in: 1...2, using: &run.random)) }
        try await run.run(
            120,
            [
                { await model.show(id()) }, { await model.showIfNeeded(id()) },
                { await model.showIfNeeded(model.state.id ?? id()) }, { await model.retry() },
                { await model.refresh() }, { await model.toggleStar() }, { await model.toggleFavorite() },
                { try? await session.signIn(with: credentials) }, { try? await session.signOut() },
                { await session.retry() },
            ]
        ) {
            // The end of a write whose caller was canceled changes no state.
            await session.stars.waitForWrites()
            #expect(session.stars.pendingCount == 0, "seed \(seed)")
            try await run.expectEnd(seed) {
                model.state.content.status == .loading || model.state.readme.status == .loading
            }
            for _ in 0..<4 { await model.retry() }
            guard let row = model.state.row, !run.gate.fails else { return }
            #expect(model.state.readme.details != nil, "seed \(seed)")
            try await waitUntil { model.state.row?.isStarred == session.stars.isStarred(row.id) }
        }
    }
}
