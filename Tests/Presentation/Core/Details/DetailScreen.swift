import BrowseDomain
import BrowsePresentation

extension Row: EntityDetails {
    var facts: [Fact] { [Fact("version", "Version", String(version))] }
}

/// A screen with an entity and a list of related items.
@MainActor
final class DetailScreen: DetailViewModel {
    struct State: DetailScreenState {
        var title: String { content.details.map { String($0.id) } ?? "" }
        var content = DetailState<Row>()
        var related = ListState<Row>()
        var notice: Message?
    }

    let store = StateStore(State())
    let entity: DetailController<Row, Row>
    let related: ListController<Row>

    init(
        _ policy: LoadPolicy = .fresh,
        clock: any Clock<Duration> = ContinuousClock(),
        _ fetch: @escaping @Sendable (Row) async throws(BrowseError) -> Page<Row>
    ) {
        entity = DetailController(
            in: store,
            at: \.content,
            notice: \.notice,
            options: .english(policy: policy, clock: clock)
        ) { $0 }
        related = ListController(
            in: store,
            at: \.related,
            options: ScreenOptions(texts: .english) { $0.policy = policy }
        )
        entity.relate(
            related,
            empty: Texts.english.noFavorites,
            page: { row, _ throws(BrowseError) in
                try await fetch(row)
            }
        ) { $0 }
    }

    var states: States<State> { store.states }
    var detail: DetailControls { entity.controls }

    func show(_ fetch: @escaping @Sendable () async throws(BrowseError) -> Row) async {
        await entity.begin(fetch)()
    }
}
