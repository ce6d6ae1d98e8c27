import BrowseKit

/// The characters, episodes, or locations that match a filter.
struct RickAndMortyListScreen<Filter: WebFilter>: ListScreen {
    typealias Model = RickAndMortyListViewModel<Filter.Row>

    let address: PageAddress

    func makeModel(in context: PageContext) -> Model { Filter.makeModel(context.container) }

    func start(_ model: Model) async { await model.show(Filter(address.query)) }

    func input(_ fields: [String: String], to model: Model) { model.query = Filter(fields) }

    func list(in state: Model.State, _ context: PageContext) -> ListPart<Filter.Row> {
        ListPart(
            title: state.title,
            content: state.content,
            notice: state.notice,
            isWaiting: state.isWaiting,
            style: Filter.style
        )
    }

    func form(in context: PageContext) -> FormView? {
        FormView(at: address, Filter.fields(in: address, context.texts), button: context.texts(.apply))
    }

    func performOwn(
        _ action: PageAction,
        on model: Model,
        in context: PageContext
    ) async -> PageOutcome? {
        guard action.name == .favorite else { return nil }
        await Filter.setFavorite(action, on: model)
        return .stay
    }
}

/// A filter of the Rick and Morty API as this site shows it.
protocol WebFilter: RickAndMorty.Filter {
    /// The rows of the list.
    associatedtype Row: WebRow, RickAndMortyRow where Row.Entity.Filter == Self

    /// The arrangement of the rows.
    static var style: RowList.Style { get }
    /// Reads a filter from the fields of a form, or the query of an address.
    init(_ fields: [String: String])
    /// Returns the fields of the form.
    static func fields(in address: PageAddress, _ texts: Texts) -> [FormView.Field]
    /// Creates the view model.
    @MainActor static func makeModel(_ container: Container) -> RickAndMortyListViewModel<Row>
    /// Sets the favorite mark of a row, if the rows have one; the default does nothing.
    @MainActor static func setFavorite(_ action: PageAction, on model: RickAndMortyListViewModel<Row>) async
}

extension WebFilter {
    static var style: RowList.Style { .list }

    @MainActor
    static func setFavorite(_ action: PageAction, on model: RickAndMortyListViewModel<Row>) async {}
}

extension RickAndMorty.CharacterFilter: WebFilter {
    typealias Row = CharacterRow

    static let style = RowList.Style.grid

    init(_ fields: [String: String]) {
        self.init()
        name = fields["name"] ?? ""
        status = fields["status"].flatMap { $0.isEmpty ? nil : RickAndMorty.Character.Status(rawValue: $0) }
        gender = fields["gender"].flatMap { $0.isEmpty ? nil : RickAndMorty.Character.Gender(rawValue: $0) }
        species = fields["species"] ?? ""
        type = fields["type"] ?? ""
    }

    static func fields(in address: PageAddress, _ texts: Texts) -> [FormView.Field] {
        let any = [("", texts(.any))]
        let statuses = RickAndMorty.Character.Status.known.map { ($0.rawValue, texts.status($0)) }
        let genders = RickAndMorty.Character.Gender.known.map { ($0.rawValue, texts.gender($0)) }
        return [
            .text("name", texts(.name), in: address),
            .choice("status", texts(.status), any + statuses, in: address),
            .choice("gender", texts(.gender), any + genders, in: address),
            .text("species", texts(.species), in: address),
            .text("type", texts(.type), in: address),
        ]
    }

    static func makeModel(_ container: Container) -> CharacterListViewModel { container.characterListViewModel() }

    static func setFavorite(_ action: PageAction, on model: CharacterListViewModel) async {
        await model.setFavorite(action, in: model.state.content.rows)
    }
}

extension RickAndMorty.EpisodeFilter: WebFilter {
    typealias Row = EpisodeRow

    init(_ fields: [String: String]) {
        self.init()
        name = fields["name"] ?? ""
        code = fields["code"] ?? ""
    }

    static func fields(in address: PageAddress, _ texts: Texts) -> [FormView.Field] {
        [.text("name", texts(.name), in: address), .text("code", texts(.code), in: address)]
    }

    static func makeModel(_ container: Container) -> EpisodeListViewModel { container.episodeListViewModel() }
}

extension RickAndMorty.LocationFilter: WebFilter {
    typealias Row = LocationRow

    init(_ fields: [String: String]) {
        self.init()
        name = fields["name"] ?? ""
        type = fields["type"] ?? ""
        dimension = fields["dimension"] ?? ""
    }

    static func fields(in address: PageAddress, _ texts: Texts) -> [FormView.Field] {
        [
            .text("name", texts(.name), in: address), .text("type", texts(.type), in: address),
            .text("dimension", texts(.dimension), in: address),
        ]
    }

    static func makeModel(_ container: Container) -> LocationListViewModel { container.locationListViewModel() }
}
