package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse characters`
package struct CharactersCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "characters",
        abstract: "Lists characters of Rick and Morty: all, or those that are looked for.",
        discussion: Browse.seeExitCodes
    )

    @Option(help: "A part of the name.")
    package var name: String = ""
    @Option(help: "alive, dead, unknown, or another word of the API's.")
    package var status: String?
    @Option(help: "A part of the species.")
    package var species: String = ""
    @Option(help: "A part of the type.")
    package var type: String = ""
    @Option(help: "female, male, genderless, unknown, or another word of the API's.")
    package var gender: String?
    @Flag(help: "Load every page, not the first only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false
    @OptionGroup package var common: CommonOptions

    package init() {}

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
package struct EpisodesCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "episodes",
        abstract: "Lists episodes of Rick and Morty: all, or those that are looked for.",
        discussion: Browse.seeExitCodes
    )

    @Option(help: "A part of the title.")
    package var name: String = ""
    @Option(help: "Season and number, or a part of it, as in S01E01.")
    package var code: String = ""
    @Flag(help: "Load every page, not the first only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.episodeListViewModel()
        await model.show(RickAndMorty.EpisodeFilter(name: name, code: code))
        return try await session.show(model, as: RowStyles(session).episodes, all: all)
    }
}

/// `browse locations`
package struct LocationsCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "locations",
        abstract: "Lists locations of Rick and Morty: all, or those that are looked for.",
        discussion: Browse.seeExitCodes
    )

    @Option(help: "A part of the name.")
    package var name: String = ""
    @Option(help: "A part of the type.")
    package var type: String = ""
    @Option(help: "A part of the dimension.")
    package var dimension: String = ""
    @Flag(help: "Load every page, not the first only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.locationListViewModel()
        await model.show(RickAndMorty.LocationFilter(name: name, type: type, dimension: dimension))
        return try await session.show(model, as: RowStyles(session).locations, all: all)
    }
}

/// `browse character ID`, `browse episode ID` and `browse location ID`
package struct CharacterCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "character",
        abstract: "Shows a character and the episodes it appears in.",
        discussion: Browse.seeExitCodes
    )

    @Argument(help: "The character's number.")
    package var id: Int64
    @OptionGroup package var pictures: PictureOptions
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.characterDetailViewModel()
        await model.show(RickAndMorty.Character.ID(rawValue: id))
        if let details = model.state.content.details,
            let outcome = try await pictures.draw(details.image, in: session)
        {
            return outcome
        }
        let words = session.words
        return try session.show(
            model.state.content,
            model.state.episodes,
            as: RowStyles(session).episodes
        ) { details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("status", words(.status), details.status), .init("species", words(.species), details.species),
                    .init("type", words(.type), details.type), .init("gender", words(.gender), details.gender),
                    .init("origin", words(.origin), details.origin),
                    .init("location", words(.lastSeen), details.location),
                    .init("created", words(.created), details.created),
                    .init("episodes", words(.episodes), details.episodeCount),
                    .init("image", words(.avatar), details.image?.rawValue ?? "–"),
                ],
                json: details.character.json(isFavorite: model.state.isFavorite)
            )
        }
    }
}

/// `browse episode ID`
package struct EpisodeCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "episode",
        abstract: "Shows an episode and who appears in it.",
        discussion: Browse.seeExitCodes
    )

    @Argument(help: "The episode's number.")
    package var id: Int64
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.episodeDetailViewModel()
        await model.show(RickAndMorty.Episode.ID(rawValue: id))
        let words = session.words
        return try session.show(
            model.state.content,
            model.state.characters,
            as: RowStyles(session).characters
        ) {
            details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("code", words(.code), details.code), .init("air_date", words(.airDate), details.airDate),
                    .init("created", words(.created), details.created),
                    .init("characters", words(.characters), details.characterCount),
                ],
                json: details.episode.json
            )
        }
    }
}

/// `browse location ID`
package struct LocationCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "location",
        abstract: "Shows a location and who lives there.",
        discussion: Browse.seeExitCodes
    )

    @Argument(help: "The location's number.")
    package var id: Int64
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.locationDetailViewModel()
        await model.show(RickAndMorty.Location.ID(rawValue: id))
        let words = session.words
        return try session.show(
            model.state.content,
            model.state.residents,
            as: RowStyles(session).characters
        ) {
            details in
            DetailPage(
                title: details.name,
                fields: [
                    .init("type", words(.type), details.type),
                    .init("dimension", words(.dimension), details.dimension),
                    .init("created", words(.created), details.created),
                    .init("residents", words(.residents), details.residentCount),
                ],
                json: details.location.json
            )
        }
    }
}

extension Session {
    /// Loads as much of a list as was requested, and writes it.
    fileprivate func show<Query>(
        _ model: RickAndMortyListViewModel<Query>,
        as style: RowStyle<Query.Row>,
        all: Bool
    ) async throws(Sink.Failure) -> Outcome {
        if all { await loadAll(model, \.content, style.counted) }
        return try ListReport(session: self, style: style, title: model.state.title, isOfGitHub: false, isAll: all)
            .write(model.state.content)
    }

    /// Writes one thing, and what is related to it.
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
