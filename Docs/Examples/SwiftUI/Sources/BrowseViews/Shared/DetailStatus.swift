import BrowseKit
import SwiftUI

/// The details of one thing in a list, or what takes their place.
struct DetailContent<Model: DetailViewModel, Sections: View>: View {
    let model: Model
    @ViewBuilder let sections: (Model.State.Details) -> Sections

    var body: some View {
        let content = model.state.content
        List {
            if let details = content.details { sections(details) }
            if let age = content.age { Text(age).font(.footnote).foregroundStyle(.secondary) }
        }
        .detailStatus(of: model)
        .refreshing { await model.refresh() }
        .navigationTitle(model.state.title)
        .inlineNavigationTitle()
    }
}

/// A button that makes a thing a favorite, for its toolbar.
struct FavoriteToggle<Model: FavoriteDetailViewModel>: View {
    let model: Model

    var body: some View {
        FavoriteButton(isFavorite: model.state.isFavorite) { await model.setFavorite(to: $0) }
            .disabled(model.state.content.details == nil)
    }
}

/// Facts with their labels; those with a route lead to it.
struct FactRows: View {
    let facts: [Fact]

    var body: some View {
        ForEach(facts) { fact in
            RouteLink(route: fact.route) {
                LabeledContent(fact.label) {
                    Text(fact.value).foregroundStyle(fact.isMissing ? .tertiary : .secondary)
                }
            }
        }
    }
}

/// Shows what takes the place of a thing, and the notice beside it.
private struct DetailStatusModifier<Model: DetailViewModel>: ViewModifier {
    let model: Model

    @Environment(\.openRoute) private var openRoute
    @Environment(\.dismiss) private var dismiss

    private var status: DetailState<Model.State.Details>.Status { model.state.content.status }

    func body(content view: Content) -> some View {
        view
            .overlay {
                if let message = status.message {
                    Placeholder { MessageView(message: message, perform: perform) }
                } else if status == .loading {
                    Spinner(delay: model.state.content.delay)
                }
            }
            .onChange(of: status) {
                if case .failed(let message) = status { announce(message) }
            }
            .noticeBanner(model.state.notice, perform: perform) { model.dismissNotice() }
    }

    private func perform(_ action: Message.Action) async {
        if action == .changeInput { dismiss() }
        openRoute(await model.perform(action))
    }
}

extension View {
    /// Shows what takes the place of a thing, and the notice beside it.
    func detailStatus(of model: some DetailViewModel) -> some View {
        modifier(DetailStatusModifier(model: model))
    }

    /// Shows the title in the bar and not above the content, as suits details with long names.
    func inlineNavigationTitle() -> some View {
        #if os(iOS)
        navigationBarTitleDisplayMode(.inline)
        #else
        self
        #endif
    }
}

/// A section with the items that are related to a thing.
struct RelatedSection<Row: ListRow, RowView: View>: View {
    let title: String
    let content: ListState<Row>
    let perform: @MainActor (Message.Action) async -> Route?
    @ViewBuilder let row: (Row) -> RowView

    @Environment(\.openRoute) private var openRoute

    var body: some View {
        Section(title) {
            switch content.layout.placeholder {
            case .spinner?: Spinner(delay: content.delay).frame(maxWidth: .infinity)
            case .message(let message)?:
                Text(message.text)
                MessageButton(message: message) { openRoute(await perform($0)) }
            case .more?, nil: EmptyView()
            }
            ForEach(content.rows, content: row)
        }
    }
}
