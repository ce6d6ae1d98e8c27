import ArgumentParser
import BrowseKit

/// `browse repos [NAME]`
struct ReposCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "repos",
        "List an account's public repositories; without a name, all of your own.",
        "Your own require a sign-in: browse login, or --token-env."
    )

    @Argument(help: "The username.")
    var name: String?

    @Flag(help: NameArgument.loginHelp)
    var login: Bool = false

    @Flag(help: ListOptions.allHelp)
    var all: Bool = false

    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let name else { return try await session.show(.own, all: all) }
        guard let owner = session.login(name, isExact: login) else { return .usage }
        return try await session.show(.publicRepos(of: owner), all: all)
    }
}

/// `browse starred`
struct StarredCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .signedInCommand(
        "starred",
        "List your starred repositories, most recent first."
    )

    @Flag(help: ListOptions.allHelp)
    var all: Bool = false

    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        try await session.show(.starred, all: all)
    }
}

extension Session {
    /// Loads a list of repositories, and writes it.
    fileprivate func show(_ list: GitHub.RepoList, all: Bool) async throws(Sink.Failure) -> Outcome {
        let model = container.repoListViewModel()
        async let starsLoaded: Void = container.gitHubSession().start()
        await model.show(list)
        await starsLoaded
        await waitForStars(in: model)
        return try await write(model, as: RowStyles(self).repos, all: all)
    }
}
