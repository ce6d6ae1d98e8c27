public import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain

/// A screen with the details of a character, and the episodes of the character.
public typealias CharacterDetailViewModel = RickAndMortyDetailViewModel<CharacterRow, EpisodeRow>
/// A screen with the details of an episode, and the characters in it.
public typealias EpisodeDetailViewModel = RickAndMortyDetailViewModel<EpisodeRow, CharacterRow>
/// A screen with the details of a location, and its residents.
public typealias LocationDetailViewModel = RickAndMortyDetailViewModel<LocationRow, CharacterRow>

/// A screen with the details of a character, an episode, or a location, and a list of related
/// items.
@MainActor
public final class RickAndMortyDetailViewModel<Row: RickAndMortyRow, RelatedRow: RickAndMortyRow>: DetailViewModel
where RelatedRow.Entity == Row.Entity.Related {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The id of the entity; `nil` before `show(_:)`.
        public var id: Row.ID?
        /// The details and their status.
        public var content: DetailState<RickAndMortyDetails<Row>> = DetailState()
        /// The episodes of a character, or the characters of an episode or a location, in order.
        public var related: ListState<RelatedRow> = ListState()
        /// A message beside the details, such as that a favorite couldn't be stored.
        public var notice: Message?

        /// The name of the entity; empty until it's loaded.
        public var title: String { content.details?.name ?? "" }
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the entity.
    public var detail: DetailControls { page.controls }
    /// The intents of the related rows.
    public var related: ListControls<RelatedRow> { rows.controls }

    private let page: DetailController<Row.Entity, RickAndMortyDetails<Row>>
    private let rows: ListController<RelatedRow>
    private let store = StateStore(State())
    private let repository: any RickAndMorty.Repository<Row.Entity>

    /// Creates the screen; ``show(_:)`` loads it.
    package init(
        repository: any RickAndMorty.Repository<Row.Entity>,
        relatedRepository: any RickAndMorty.Repository<RelatedRow.Entity>,
        options: ScreenOptions
    ) {
        self.repository = repository
        let options = options.about(.rickAndMorty)
        let texts = options.texts
        page = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            RickAndMortyDetails($0, texts: texts)
        }
        rows = ListController(in: store, at: \.related, notice: \.notice, options: options)
        page.relate(rows, empty: texts.noRows(Row.noRelatedItems)) { entity, _ throws(BrowseError) in
            try await relatedRepository.entities(entity.related)
        } row: {
            RelatedRow($0, texts: texts)
        }
    }

    /// Shows an entity, then loads its related items.
    public func show(_ id: Row.ID) async {
        await store.load { begin(id, with: nil, &$0) }
    }

    /// Shows an entity that is known already, unless the screen shows it; sends no request.
    ///
    /// Call ``showIfNeeded(_:)-(Row.ID)`` next, which loads it.
    public func showIfNeeded(_ preview: EntityPreview<Row.Entity>) {
        guard state.id != preview.value.id else { return }
        store.update { [self] in _ = begin(preview.value.id, with: preview, &$0) }
    }

    /// Shows an entity when the screen appears.
    ///
    /// If it's shown already, this only retries a failed or canceled load.
    public func showIfNeeded(_ id: Row.ID) async {
        if state.id == id { await page.retry() } else { await show(id) }
    }

    private func begin(_ id: Row.ID, with preview: EntityPreview<Row.Entity>?, _ state: inout State) -> ScreenLoad {
        state = State()
        state.id = id
        return page.begin(with: preview) { [repository] () throws(BrowseError) in try await repository.entity(id) }
    }
}
