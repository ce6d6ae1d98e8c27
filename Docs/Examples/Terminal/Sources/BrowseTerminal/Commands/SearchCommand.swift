import ArgumentParser
import BrowseKit

/// `browse search users TEXT` and `browse search repos TEXT`
struct SearchCommand: ParsableCommand {
    static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "search",
        abstract: "Search GitHub.",
        subcommands: [Users.self, Repos.self]
    )

    /// `browse search users TEXT`
    struct Users: ScreenCommand {
        static let configuration: CommandConfiguration = .command("users", "Search for accounts.")

        @OptionGroup var search: SearchOptions
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.userSearchViewModel()
            let values = ["q": search.joined]
            return try await session.search(model, as: RowStyles(session).users, values, all: search.all) {
                ($0.title, $0.totalCount) = (search.joined, model.state.totalCount)
            }
        }
    }

    /// `browse search repos TEXT`
    struct Repos: ScreenCommand {
        static let configuration: CommandConfiguration = .command("repos", "Search for code repositories.")

        @OptionGroup var search: SearchOptions
        @Option(help: "The order of results: best, stars, forks, or updated.")
        var sort: String = "best"
        @Option(help: "The direction, except for best: desc or asc.")
        var order: String = "desc"
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.repoSearchViewModel()
            let gitHub = session.container.gitHubSession()
            let stars = Task { await gitHub.start() }
            let values = ["q": search.joined, "sort": sort, "order": order]
            let style = RowStyles(session).repos
            return try await session.search(model, as: style, values, all: search.all) {
                ($0.title, $0.totalCount) = (search.joined, model.state.totalCount)
            } marks: {
                await withTaskCancellationHandler {
                    await stars.value
                } onCancel: {
                    stars.cancel()
                }
                await session.waitForStars(in: model)
            }
        }
    }
}

/// The text to search for.
struct SearchOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The text to search for.",
            discussion: "Write -- before words that begin with a hyphen, as in: cats -- -language:java.",
            valueName: "text"
        )
    )
    var terms: [String]

    @Flag(help: "Load all pages, up to GitHub's limit of 1,000 results.")
    var all: Bool = false

    var joined: String { terms.joined(separator: " ") }
}
