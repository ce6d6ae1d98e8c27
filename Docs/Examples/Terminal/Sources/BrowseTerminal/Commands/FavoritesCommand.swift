import ArgumentParser
import BrowseKit

/// `browse favorites [list|add|remove]`
struct FavoritesCommand: ParsableCommand {
    static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "favorites",
        abstract: "Show, add, and remove favorites.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self
    )

    /// `browse favorites list`
    struct List: ScreenCommand {
        static let configuration: CommandConfiguration = .command("list", "List favorites.")

        @Option(help: ArgumentHelp("Show only names that contain this text, ignoring case.", valueName: "text"))
        var filter: String = ""
        @Option(help: "By name in groups by letter, or as added: name or added.")
        var order: String = "name"
        @Option(help: "Show only one kind: user, repo, character, or app.")
        var kind: String?
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.favoriteListViewModel()
            return try await session.search(
                model,
                as: RowStyles(session).favorites,
                ["filter": filter, "kind": kind, "order": order],
                all: true
            ) {
                $0.isRemote = false
                $0.headings = model.state.sections.map { ($0.title, $0.positions.lowerBound) }
            }
        }
    }

    /// `browse favorites add NAME`
    struct Add: ScreenCommand {
        static let configuration: CommandConfiguration = .command(
            "add",
            "Add an account, a repository (OWNER/NAME), a character, or an app."
        )

        @OptionGroup var name: NameArgument
        @Flag(help: "NAME is the number of a character.")
        var character: Bool = false
        @Flag(help: "NAME is an app ID, an App Store link, or a bundle ID.")
        var app: Bool = false
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let favorite: Favorite
            let isNew: Bool
            do throws(BrowseError) {
                if character {
                    guard let number = Int64(name.name) else {
                        session.printError(session.texts(.characterNumber))
                        return .usage
                    }
                    let characters = session.container.characterRepository()
                    favorite = Favorite(try await characters.entity(.init(rawValue: number)))
                } else if app {
                    guard let reference = try? AppStore.AppReference(name.name) else {
                        session.printError(session.texts(.appReference))
                        return .usage
                    }
                    let storefront = session.container.configuration.storefront.preferring(reference)
                    favorite = Favorite(try await session.container.appRepository().lookUp(reference, in: storefront))
                } else if let repo = session.repo(name.name) {
                    let repos = session.container.repoRepository()
                    favorite = Favorite(try await repos.details(named: repo.name, of: repo.owner).repo)
                } else {
                    guard let login = session.login(name) else { return .usage }
                    favorite = Favorite(try await session.container.userRepository().profile(of: login).user)
                }
                isNew = try await session.container.favoriteRepository().add(favorite)
            } catch {
                return session.report(error, of: character ? .rickAndMorty : app ? .appStore : .gitHub)
            }
            if session.container.configuration.storageFolder == nil, !common.isLive {
                session.printNote(session.texts(.favoriteNotSaved))
            }
            return try session.printResult(
                isNew ? .added(favorite.title) : .alreadyThere(favorite.title),
                isNew,
                favorite
            )
        }
    }

    /// `browse favorites remove NAME`
    struct Remove: ScreenCommand {
        static let configuration: CommandConfiguration = .command("remove", "Remove a favorite.")

        @Argument(help: "The name in the list of favorites, what added it, or a kind and a number, as in user/583231.")
        var name: String
        @OptionGroup var common: CommonOptions

        @MainActor
        func show(in session: Session) async throws(Sink.Failure) -> Outcome {
            let model = session.container.favoriteListViewModel()
            model.query = FavoriteQuery(order: .added)
            await model.show()
            await model.loadAll()
            if case .failed(let message) = model.state.content.status { return session.report(message) }
            // As it was added, which can be an address.
            let host = session.container.configuration.gitHub.webURL.host() ?? ""
            let account = (try? GitHub.Username(name, host: host))?.description
            let typed = session.repo(name).map { "\($0.owner)/\($0.name)" } ?? account ?? name
            let names = Set([name, typed].map { $0.lowercased() })
            let rows = model.state.content.rows.filter { row in
                row.favorite.id.description == name || names.contains(row.favorite.title.lowercased())
                    || row.favorite.isOfAnotherService(name)
            }
            guard let row = rows.first(where: { $0.favorite.id.description == name }) ?? rows.first else {
                guard !Task.isCancelled else { return session.stoppedEarly }
                switch model.state.content.status {
                // A page that couldn't be read can have it.
                case .failedMore(let message), .incomplete(let message): return session.report(message)
                default: session.printError(session.texts(.notFavorite(name)))
                }
                return .notFound
            }
            guard rows.count == 1 || row.favorite.id.description == name else {
                let ids = rows.map(\.favorite.id.description)
                session.printError(session.texts(.severalFavorites(name, session.texts.formats.list(ids))))
                return .usage
            }
            await model.setFavorite(row.id, to: false)
            if let notice = model.state.notice { return session.report(notice) }
            return try session.printResult(.removed(row.favorite.title), true, row.favorite)
        }
    }
}

extension Favorite {
    /// Whether a text adds the favorite with `--app` or `--character`.
    fileprivate func isOfAnotherService(_ text: String) -> Bool {
        if kind == RickAndMorty.Character.favoriteKind { return id.key == text }
        guard kind == AppStore.App.favoriteKind, let reference = try? AppStore.AppReference(text) else { return false }
        return switch reference {
        // In any country.
        case .id(let app): AppStore.AppID(id.key)?.number == app.number
        case .bundleID(let bundle): value(as: AppStore.App.self)?.bundleID == bundle
        }
    }
}

extension Session {
    /// Writes the result of a change.
    fileprivate func printResult(
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
            try output.print([Line(texts(phrase))])
        }
        return .success
    }
}
