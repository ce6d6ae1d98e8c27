import ArgumentParser
import BrowseKit

/// `browse characters`
struct CharactersCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("characters", "List characters of Rick and Morty.")

    @Option(help: "Part of the name.")
    var name: String = ""
    @Option(help: "alive, dead, or unknown.")
    var status: String?
    @Option(help: "Part of the species.")
    var species: String = ""
    @Option(help: "Part of the type.")
    var type: String = ""
    @Option(help: "female, male, genderless, or unknown.")
    var gender: String?
    @Flag(help: ListOptions.allHelp)
    var all: Bool = false
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.characterListViewModel()
        let filter = RickAndMorty.CharacterFilter(
            name: name,
            status: status.map(RickAndMorty.Character.Status.init(rawValue:)),
            species: species,
            type: type,
            gender: gender.map(RickAndMorty.Character.Gender.init(rawValue:))
        )
        await model.show(filter)
        return try await session.show(model, as: RowStyles(session).characters, all: all)
    }
}

/// `browse episodes`
struct EpisodesCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("episodes", "List episodes of Rick and Morty.")

    @Option(help: "Part of the title.")
    var name: String = ""
    @Option(help: "Season and episode, such as S01E01, or part of it.")
    var code: String = ""
    @Flag(help: ListOptions.allHelp)
    var all: Bool = false
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.episodeListViewModel()
        await model.show(RickAndMorty.EpisodeFilter(name: name, code: code))
        return try await session.show(model, as: RowStyles(session).episodes, all: all)
    }
}

/// `browse locations`
struct LocationsCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("locations", "List locations of Rick and Morty.")

    @Option(help: "Part of the name.")
    var name: String = ""
    @Option(help: "Part of the type.")
    var type: String = ""
    @Option(help: "Part of the dimension.")
    var dimension: String = ""
    @Flag(help: ListOptions.allHelp)
    var all: Bool = false
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.locationListViewModel()
        await model.show(RickAndMorty.LocationFilter(name: name, type: type, dimension: dimension))
        return try await session.show(model, as: RowStyles(session).locations, all: all)
    }
}

/// `browse character ID`
struct CharacterCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("character", "Show a character and its episodes.")

    @Argument(help: "The character's number.")
    var id: Int64
    @OptionGroup var images: ImageOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.characterDetailViewModel()
        await model.show(RickAndMorty.Character.ID(rawValue: id))
        if let details = model.state.content.details,
            let outcome = try await images.draw(details.image, in: session)
        {
            return outcome
        }
        let texts = session.texts
        return try session.show(
            model.state.content,
            model.state.related,
            as: RowStyles(session).episodes
        ) { details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("status", texts(.status), details.status), .init("species", texts(.species), details.species),
                    .init("type", texts(.type), details.type), .init("gender", texts(.gender), details.gender),
                    .init("origin", texts(.origin), details.origin),
                    .init("location", texts(.lastSeen), details.location),
                    .init("created", texts(.created), details.created),
                    .init("episodes", texts(.episodes), details.relatedCount),
                    .init("image", texts(.image), details.image?.rawValue ?? "–"),
                ],
                json: details.character.json(isFavorite: model.state.isFavorite)
            )
        }
    }
}

/// `browse episode ID`
struct EpisodeCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("episode", "Show an episode and its characters.")

    @Argument(help: "The episode's number.")
    var id: Int64
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.episodeDetailViewModel()
        await model.show(RickAndMorty.Episode.ID(rawValue: id))
        let texts = session.texts
        return try session.show(
            model.state.content,
            model.state.related,
            as: RowStyles(session).characters
        ) { details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("code", texts(.code), details.code), .init("air_date", texts(.airDate), details.airDate),
                    .init("created", texts(.created), details.created),
                    .init("characters", texts(.characters), details.relatedCount),
                ],
                json: details.episode.json
            )
        }
    }
}

/// `browse location ID`
struct LocationCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("location", "Show a location and its residents.")

    @Argument(help: "The location's number.")
    var id: Int64
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.locationDetailViewModel()
        await model.show(RickAndMorty.Location.ID(rawValue: id))
        let texts = session.texts
        return try session.show(
            model.state.content,
            model.state.related,
            as: RowStyles(session).characters
        ) { details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("type", texts(.type), details.type),
                    .init("dimension", texts(.dimension), details.dimension),
                    .init("created", texts(.created), details.created),
                    .init("residents", texts(.residents), details.relatedCount),
                ],
                json: details.location.json
            )
        }
    }
}

extension Session {
    /// Loads a list, and writes it.
    fileprivate func show<Row>(
        _ model: RickAndMortyListViewModel<Row>,
        as style: RowStyle<Row>,
        all: Bool
    ) async throws(Sink.Failure) -> Outcome {
        if all { await loadAll(model, \.content, style.unit) }
        return try ListReport(session: self, style: style, title: model.state.title, isGitHub: false, isAll: all)
            .write(model.state.content)
    }

    /// Writes an item and its related rows.
    fileprivate func show<Details, Row>(
        _ content: DetailState<Details>,
        _ related: ListState<Row>,
        as style: RowStyle<Row>,
        page: (Details) -> DetailPage
    ) throws(Sink.Failure) -> Outcome {
        switch content.status {
        case .loaded(let details):
            let rows = related.rows
            let all = related.provenance.flatMap { content.provenance?.combined(with: $0) } ?? content.provenance
            try write(page(details), from: all, related: rows.map { style.fields($0) }, json: rows.map(style.json)) {
                Table(style.columns, rows: rows.map(style.cells)).lines(width: output.columns())
            }
            if case .failed(let message) = related.status { return report(message) }
            return interruption ?? .success
        case .failed(let message): return report(message)
        case .idle, .loading, .waiting: return stoppedEarly
        }
    }
}
