package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse search users TEXT` and `browse search repos TEXT`
package struct SearchCommand: ParsableCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds accounts or code repositories.",
        discussion: Browse.seeExitCodes,
        subcommands: [Users.self, Repos.self]
    )

    package init() {}

    /// `browse search users TEXT`
    package struct Users: ScreenCommand {
        package static let configuration: CommandConfiguration = CommandConfiguration(
            commandName: "users",
            abstract: "Finds accounts."
        )

        @OptionGroup package var search: SearchOptions
        @OptionGroup package var common: CommonOptions

        package init() {}

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
    package struct Repos: ScreenCommand {
        package static let configuration: CommandConfiguration = CommandConfiguration(
            commandName: "repos",
            abstract: "Finds code repositories."
        )

        @OptionGroup package var search: SearchOptions
        @Option(help: "What results are ordered by.")
        package var sort: SortName = .best
        @Option(help: "In which direction; not for the best match.")
        package var order: OrderName = .desc
        @OptionGroup package var common: CommonOptions

        package init() {}

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.repoSearchViewModel()
            model.sort = sort.sort
            model.order = order.order
            model.query = search.joined
            guard session.accepts(hint: model.state.hint, of: model.query) else { return .usage }
            async let starsAreKnown: Void = session.container.session().start()
            await model.submit()
            await starsAreKnown
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
    /// Whether a text can be searched for; the person is told when it cannot.
    fileprivate func accepts(hint: String?, of text: String) -> Bool {
        if let hint {
            complain(hint)
            return false
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            complain(words(.searchEmpty))
            return false
        }
        return true
    }
}

/// What to search for.
package struct SearchOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("What to search for; several words are one text.", valueName: "text"))
    package var words: [String]

    @Flag(help: "Load every page, as far as GitHub hands results out: the first 1,000.")
    package var all: Bool = false

    package init() {}

    var joined: String { words.joined(separator: " ") }
}

/// What results are ordered by, as it is written on a command line.
package enum SortName: String, ExpressibleByArgument, CaseIterable, Sendable {
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

/// In which direction, as it is written on a command line.
package enum OrderName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case desc, asc

    var order: GitHub.RepoSearch.Order {
        switch self {
        case .desc: .descending
        case .asc: .ascending
        }
    }
}
