import BrowseKit

/// A screen with the details of one thing, and maybe a list of related items.
///
/// Its page has a header, a notice, a status, the details, and the related rows.
protocol DetailScreen: Screen where Model: DetailViewModel {
    /// Returns the parts of a state.
    func detail(in state: Model.State, _ context: PageContext) -> DetailPart
}

/// The parts of a detail screen's state.
struct DetailPart: Sendable {
    /// The status of the thing.
    var status: StatusView
    /// The header; before the thing is loaded, it says why it isn't.
    var header: HeaderView
    /// The sections of the thing.
    var sections: [SectionView] = []
    /// The message beside the thing.
    var notice: Message?
    /// The related items.
    var related: RelatedPart?
}

/// A list of related items.
struct RelatedPart: Sendable {
    var title: String
    var status: StatusView
    var rows: RowList
}

extension DetailPart {
    /// Creates the parts of a state; the closure describes a loaded thing.
    init<State: DetailScreenState>(
        _ state: State,
        at address: PageAddress,
        in context: PageContext,
        loaded: (State.Details) -> (HeaderView, [SectionView])
    ) {
        status = StatusView(state.content, at: address, in: context)
        header = HeaderView(title: context.texts(.loading))
        notice = state.notice
        if case .failed(let message) = state.content.status { header.title = message.title }
        if let details = state.content.details { (header, sections) = loaded(details) }
    }
}

extension RelatedPart {
    /// Creates the part of a related list.
    init<Row: WebRow>(_ title: String, _ state: ListState<Row>, at address: PageAddress, in context: PageContext) {
        self.title = title
        status = StatusView(state, at: address, in: context)
        rows = RowList(state.rows, level: 3, in: context)
    }
}

extension PageContent {
    /// Creates the page of one thing.
    init(_ part: DetailPart, in context: PageContext) {
        title = part.header.title
        parts = [
            PagePart(.header, .template("header", part.header)),
            PagePart(.notice, .template("notice", NoticeView(part.notice, in: context))),
            PagePart(.status, .template("status", part.status)),
            PagePart(.details, .template("details", DetailsView(sections: part.sections))),
        ]
        if let related = part.related {
            parts += [
                PagePart(.related, .template("related", RelatedView(title: related.title, status: related.status))),
                PagePart(.rows, .rows(related.rows)),
            ]
        }
    }
}

extension DetailScreen {
    func content(of state: Model.State, in context: PageContext) -> PageContent {
        PageContent(detail(in: state, context), in: context)
    }

    @MainActor
    func perform(_ action: PageAction, on model: Model, in context: PageContext) async -> PageOutcome {
        if let outcome = await performOwn(action, on: model, in: context) { return outcome }
        switch action.name {
        case .retry: await model.retry()
        case .refresh: await model.refresh()
        case .dismiss: model.dismissNotice()
        case .favorite: await (model as? any FavoriteDetailViewModel)?.setFavorite(to: action.isOn)
        default: break
        }
        return .stay
    }
}
