import BrowseDomain

@testable import BrowsePresentation

/// A screen with a thing and a list of related items.
@MainActor
final class DetailScreen: DetailViewModel {
    struct State: Equatable, Sendable {
        var content = DetailState<Row>()
        var related = ListState<Row>()
        var notice: Message?
    }

    let store = StateStore(State())
    let thing: DetailController<Row, Row>
    let related: ListController<Row>

    init(
        _ policy: LoadPolicy = .fresh,
        _ fetch: @escaping @Sendable (Row) async throws(BrowseError) -> Page<Row>
    ) {
        thing = DetailController(
            in: store,
            at: \.content,
            notice: \.notice,
            options: ScreenOptions(texts: .english, policy: policy)
        ) { $0 }
        related = ListController(in: store, at: \.related, options: ScreenOptions(texts: .english, policy: policy))
        thing.relate(related, empty: Texts.english.noFavorites, page: fetch) { $0 }
    }

    var states: States<State> { store.states }
    var detail: DetailControls { thing.controls }

    func show(_ fetch: @escaping @Sendable () async throws(BrowseError) -> Row) async {
        await thing.begin(fetch)()
    }
}
