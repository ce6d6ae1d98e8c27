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
        let values = ["name": name, "status": status, "species": species, "type": type, "gender": gender]
        let model = session.container.characterListViewModel()
        return try await session.search(model, as: RowStyles(session).characters, values, all: all)
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
        return try await session.search(model, as: RowStyles(session).episodes, ["name": name, "code": code], all: all)
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
        let values = ["name": name, "type": type, "dimension": dimension]
        let model = session.container.locationListViewModel()
        return try await session.search(model, as: RowStyles(session).locations, values, all: all)
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
        let image = model.state.content.details?.image?.rawValue
        let fact = Fact("image", session.texts(.image), image ?? "–", isMissing: image == nil)
        return try session.write(model, RowStyles(session).episodes, adding: [fact]) {
            $0.character.json(isFavorite: model.state.isFavorite)
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
        return try session.write(model, RowStyles(session).characters) { $0.episode.json }
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
        return try session.write(model, RowStyles(session).characters) { $0.location.json }
    }
}

extension Session {
    /// Writes an item and its related rows.
    fileprivate func write<Row, Related>(
        _ model: RickAndMortyDetailViewModel<Row, Related>,
        _ style: RowStyle<Related>,
        adding facts: [Fact] = [],
        json: (RickAndMortyDetails<Row>) -> JSON
    ) throws(Sink.Failure) -> Outcome {
        try write(model) { details in
            let related = RelatedRows(model.state.related, as: style)
            let all = details.facts + facts
            return DetailPage(title: model.state.title, fields: all, json: json(details), related: related)
        }
    }
}
