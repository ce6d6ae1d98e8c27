import ArgumentParser
import BrowseKit

/// `browse star OWNER/NAME`
struct StarCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .signedInCommand("star", "Star a repository.")

    @Argument(help: ArgumentHelp("The repository.", valueName: "owner/name"))
    var name: String
    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        try await session.star(name, isStarred: true, isLive: common.isLive)
    }
}

/// `browse unstar OWNER/NAME`
struct UnstarCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .signedInCommand("unstar", "Unstar a repository.")

    @Argument(help: ArgumentHelp("The repository.", valueName: "owner/name"))
    var name: String
    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        try await session.star(name, isStarred: false, isLive: common.isLive)
    }
}

extension Session {
    fileprivate func star(
        _ name: String,
        isStarred: Bool,
        isLive: Bool
    ) async throws(Sink.Failure) -> Outcome {
        guard let typed = self.repo(name) else {
            printError(texts(.notRepo))
            return .usage
        }
        let manager = container.gitHubSession()
        await manager.start()
        if case .signedOut(let reason) = manager.current { return reportSignOut(reason) }
        let stars = manager.stars
        let repo: GitHub.Repo
        do throws(BrowseError) {
            repo = try await container.repoRepository().details(named: typed.name, of: typed.owner).repo
        } catch {
            return report(error)
        }
        // If the stars couldn't be read, a star that isn't known can exist.
        let isKnown = if case .ready = manager.current { !stars.needsReload } else { false }
        let wasStarred = stars.isStarred(repo.id) || !isKnown && !isStarred
        if wasStarred != isStarred, let write = stars.setStarred(isStarred, for: repo) {
            switch await write.outcome {
            case .stored: break
            case .undone(let error): return report(error)
            case .unconfirmed: return report(container.texts().starUnconfirmed)
            case .cancelled:
                // Without a signal, the session has ended, which the manager says afterward.
                guard !Task.isCancelled, case .signedOut(let reason) = await manager.settled else {
                    return report(.cancelled)
                }
                return reportSignOut(reason)
            }
        }
        if wasStarred != isStarred, !isLive { printNote(texts(.starNotSaved)) }
        let phrase: Phrase =
            switch (isStarred, wasStarred) {
            case (true, false): .starred(repo.fullName)
            case (true, true): .alreadyStarred(repo.fullName)
            case (false, true): .unstarred(repo.fullName)
            case (false, false): .notStarred(repo.fullName)
            }
        let fields: [String: JSON] = [
            "full_name": .text(repo.fullName), "starred": .flag(isStarred), "changed": .flag(wasStarred != isStarred),
        ]
        return try printResult(phrase, .object(fields))
    }
}
