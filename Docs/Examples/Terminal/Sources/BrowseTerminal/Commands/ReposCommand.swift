package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse repos [NAME]`
package struct ReposCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "repos",
        abstract: "Lists somebody's public repositories; without a name your own, private ones too.",
        discussion: "Your own need a sign-in: browse login, or --token-env. " + Browse.seeExitCodes
    )

    @Argument(help: "The account's name.")
    package var name: String?

    @Flag(help: "Take the name as GitHub writes it.")
    package var login: Bool = false

    @Flag(help: "Load every page, not the first 100 only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false

    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let name else { return try await session.show(.own, all: all) }
        guard let owner = session.login(name, isGitHubs: login) else { return .usage }
        return try await session.show(.publicRepos(of: owner), all: all)
    }
}

/// `browse starred`
package struct StarredCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "starred",
        abstract: "Lists what you have starred, the latest star first.",
        discussion: "It needs a sign-in: browse login, or --token-env. " + Browse.seeExitCodes
    )

    @Flag(help: "Load every page, not the first 100 only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false

    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        try await session.show(.starred, all: all)
    }
}

extension Session {
    /// Loads a list of repositories, and writes it.
    fileprivate func show(_ list: GitHub.RepoList, all: Bool) async throws(Sink.Failure) -> Outcome {
        let model = container.repoListViewModel()
        async let starsAreKnown: Void = container.session().start()
        await model.show(list)
        if all { await loadAll(model, \.content, .things) }
        await starsAreKnown
        let report = ListReport(session: self, style: RowStyles(self).repos, title: model.state.title, isAll: all)
        return try report.write(model.state.content)
    }
}
