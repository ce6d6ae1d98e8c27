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
            model.query = search.joined
            guard session.accepts(hint: model.state.hint, of: model.query) else { return .usage }
            await model.submit()
            if search.all { await session.loadAll(model, \.content, .people) }
            let report = ListReport(
                session: session,
                style: RowStyles(session).users,
                title: search.joined,
                isAll: search.all,
                summary: model.state.summary,
                totalCount: model.state.totalCount
            )
            return try report.write(model.state.content)
        }
    }

    /// `browse search repos TEXT`
    struct Repos: ScreenCommand {
        static let configuration: CommandConfiguration = .command("repos", "Search for code repositories.")

        @OptionGroup var search: SearchOptions
        @Option(help: "The order of results.")
        var sort: SortName = .best
        @Option(help: "The direction, except for best.")
        var order: OrderName = .desc
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.repoSearchViewModel()
            model.sort = sort.sort
            model.order = order.order
            model.query = search.joined
            guard session.accepts(hint: model.state.hint, of: model.query) else { return .usage }
            async let starsLoaded: Void = session.container.gitHubSession().start()
            await model.submit()
            await starsLoaded
            if search.all { await session.loadAll(model, \.content, .things) }
            let report = ListReport(
                session: session,
                style: RowStyles(session).repos,
                title: search.joined,
                isAll: search.all,
                summary: model.state.summary,
                totalCount: model.state.totalCount
            )
            return try report.write(model.state.content)
        }
    }
}

extension Session {
    /// Returns whether text can be searched for; prints an error if not.
    fileprivate func accepts(hint: String?, of text: String) -> Bool {
        if let hint {
            printError(hint)
            return false
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            printError(texts(.searchEmpty))
            return false
        }
        return true
    }
}

/// The text to search for.
struct SearchOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The text to search for.", valueName: "text"))
    var terms: [String]

    @Flag(help: "Load all pages, up to GitHub's limit of 1,000 results.")
    var all: Bool = false

    var joined: String { terms.joined(separator: " ") }
}

/// The name of an order on the command line.
enum SortName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case best, stars, forks
    case helpWanted = "help-wanted"
    case updated

    var sort: GitHub.RepoSearch.Sort {
        switch self {
        case .best: .bestMatch
        case .stars: .stars
        case .forks: .forks
        case .helpWanted: .helpWantedIssues
        case .updated: .updated
        }
    }
}

/// The name of a direction on the command line.
enum OrderName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case desc, asc

    var order: GitHub.RepoSearch.Order {
        switch self {
        case .desc: .descending
        case .asc: .ascending
        }
    }
}
