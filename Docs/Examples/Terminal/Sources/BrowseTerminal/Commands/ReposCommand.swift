package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse repos [NAME]`
package struct ReposCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "repos",
        abstract: "Lists somebody's public repositories; without a name your own, private ones too.",
        discussion: "Your own lists need --token-env. " + Browse.seeExitCodes
    )

    @Argument(help: "The account's name.")
    package var name: String?

    @Flag(help: "Take the name as GitHub writes it.")
    package var login: Bool = false

    @Flag(help: "List what you have starred.")
    package var starred: Bool = false

    @Flag(help: "Load every page, not the first 100 only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false

    @OptionGroup package var common: CommonOptions

    package init() {}

    package func validate() throws {
        guard name == nil || !starred else {
            throw ValidationError("--starred lists your own stars; leave the name out.")
        }
    }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        var list: GitHub.RepoList = starred ? .starred : .own
        if let name {
            guard let owner = session.login(name, isGitHubs: login) else { return .usage }
            list = .publicRepos(of: owner)
        }
        let model = session.container.repoListViewModel()
        await model.show(list)
        if all {
            await session.loadAll(.things) {
                model.state.content
            } loadMore: {
                await model.loadMore()
            }
        }
        let report = ListReport(
            session: session,
            style: RowStyles(session).repos,
            title: model.state.title,
            isAll: all
        )
        return try report.write(model.state.content)
    }
}
