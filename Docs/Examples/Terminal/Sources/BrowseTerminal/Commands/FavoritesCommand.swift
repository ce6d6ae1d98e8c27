package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse favorites [list|add|remove]`
package struct FavoritesCommand: ParsableCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "favorites",
        abstract: "Shows, adds and removes favourites: accounts, code repositories, characters and apps.",
        discussion: Browse.seeExitCodes,
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self
    )

    package init() {}

    /// `browse favorites list`
    package struct List: ScreenCommand {
        package static let configuration: CommandConfiguration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists what is kept, without any network."
        )

        @Option(help: ArgumentHelp("Only names that contain this text, in any case.", valueName: "text"))
        package var filter: String = ""
        @Option(help: "By name, in groups by letter; by kind; or in the order of adding.")
        package var order: FavoriteOrderName = .name
        @Option(help: "Only one kind of things.")
        package var kind: FavoriteKindName?
        @OptionGroup package var common: CommonOptions

        package init() {}

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.favoriteListViewModel()
            model.query = FavoriteQuery(kinds: kind.map { [$0.kind] } ?? [], filter: filter, order: order.order)
            await model.show()
            // A file that was rescued is read once more.
            for await state in model.states(.newest) where state.content.status != .refreshing { break }
            await session.loadAll(model, \.content, .things)
            let state = model.state
            if let notice = state.notice { session.note("\(notice.title): \(notice.text)") }
            let report = ListReport(
                session: session,
                style: RowStyles(session).favorites,
                title: state.title,
                isOfServer: false,
                isAll: true,
                headings: state.sections.map { ($0.section.title, $0.positions.lowerBound) }
                    + state.kinds.map { ($0.title, $0.positions.lowerBound) }
            )
            return try report.write(state.content)
        }
    }

    /// `browse favorites add NAME`
    package struct Add: ScreenCommand {
        package static let configuration: CommandConfiguration = CommandConfiguration(
            commandName: "add",
            abstract: "Keeps an account, a code repository as OWNER/NAME, a character or an app."
        )

        @OptionGroup package var name: NameArgument
        @Flag(help: "Take NAME as the number of a character.")
        package var character: Bool = false
        @Flag(help: "Take NAME as an app: its number, a link to it, or its bundle identifier.")
        package var app: Bool = false
        @OptionGroup package var common: CommonOptions

        package init() {}

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let parts = name.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            let favorite: Favorite
            let isNew: Bool
            do throws(BrowseError) {
                if character {
                    guard let number = Int64(name.name) else {
                        session.complain(session.words(.characterNumber))
                        return .usage
                    }
                    let characters = session.container.characterRepository()
                    favorite = .character(try await characters.character(.init(rawValue: number)))
                } else if app {
                    guard let reference = try? AppStore.AppReference(name.name) else {
                        session.complain(session.words(.appReference))
                        return .usage
                    }
                    let storefront = session.container.configuration.storefront
                    favorite = .app(try await session.container.lookUpApp()(reference, in: storefront))
                } else if parts.count == 2 {
                    let repos = session.container.repoRepository()
                    favorite = .repo(try await repos.repo(named: parts[1], of: GitHub.Login(parts[0])))
                } else {
                    guard let login = session.login(name) else { return .usage }
                    favorite = .user(try await session.container.userRepository().profile(of: login).user)
                }
                isNew = try await session.container.favoriteRepository().add(favorite)
            } catch {
                return session.report(error, of: character ? .rickAndMorty : app ? .appStore : .gitHub)
            }
            if session.container.configuration.storageFolder == nil, !common.isLive {
                session.note(session.words(.forgottenSoon))
            }
            return try session.say(isNew ? .added(favorite.title) : .alreadyThere(favorite.title), isNew, favorite)
        }
    }

    /// `browse favorites remove NAME`
    package struct Remove: ScreenCommand {
        package static let configuration: CommandConfiguration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forgets a favourite, by the name that the list shows."
        )

        @Argument(help: "The name, as the list of favourites shows it.")
        package var name: String
        @OptionGroup package var common: CommonOptions

        package init() {}

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.favoriteListViewModel()
            model.query = FavoriteQuery(filter: name, order: .added)
            await model.show()
            await session.loadAll(model, \.content, .things)
            if case .failed(let message) = model.state.content.status { return session.report(message) }
            let rows = model.state.content.rows
            guard let row = rows.first(where: { $0.favorite.title.lowercased() == name.lowercased() }) else {
                session.complain(session.words(.notKept(name)))
                return session.interruption ?? .notFound
            }
            await model.remove(row.id)
            if let notice = model.state.notice { return session.report(notice) }
            return try session.say(.removed(row.favorite.title), true, row.favorite)
        }
    }
}

extension Session {
    /// Says what was done to a favorite.
    fileprivate func say(
        _ phrase: Phrase,
        _ hasChanged: Bool,
        _ favorite: Favorite
    ) throws(Sink.Failure) -> Outcome {
        if isJSON {
            let (kind, name) = (favorite.kind.rawValue, favorite.title)
            try output.print([
                Line(.object(["type": .text(kind), "name": .text(name), "changed": .flag(hasChanged)]))
            ])
        } else {
            try output.print([Line(words(phrase))])
        }
        return .success
    }
}

/// How favorites are ordered, as it is written on a command line.
package enum FavoriteOrderName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case name, kind, added

    var order: FavoriteQuery.Order {
        switch self {
        case .name: .name
        case .kind: .kind
        case .added: .added
        }
    }
}

/// A kind of favorites, as it is written on a command line.
package enum FavoriteKindName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case user, repo, character, app

    var kind: Favorite.Kind {
        switch self {
        case .user: .user
        case .repo: .repo
        case .character: .character
        case .app: .app
        }
    }
}
