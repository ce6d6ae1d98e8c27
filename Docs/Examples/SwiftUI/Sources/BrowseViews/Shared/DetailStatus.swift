import BrowseKit
import SwiftUI

/// The details of one thing in a list, or what takes their place.
struct DetailContent<Model: DetailViewModel, Details: Equatable & Sendable, Sections: View>: View {
    let model: Model
    let content: DetailState<Details>
    let notice: Message?
    @ViewBuilder let sections: (Details) -> Sections

    var body: some View {
        List {
            if let details = content.details { sections(details) }
            if let age = content.age { Text(age).font(.footnote).foregroundStyle(.secondary) }
        }
        .detailStatus(content, notice: notice, of: model)
        .refreshing { await model.refresh() }
        .inlineNavigationTitle()
    }
}

/// Shows what takes the place of a thing, and the notice beside it.
private struct DetailStatusModifier<Model: DetailViewModel, Details: Equatable & Sendable>: ViewModifier {
    let model: Model
    let content: DetailState<Details>
    let notice: Message?

    @Environment(\.openRoute) private var openRoute
    @Environment(\.dismiss) private var dismiss

    func body(content view: Content) -> some View {
        view
            .overlay {
                switch content.status {
                case .loading: ProgressView()
                case .waiting(let message), .failed(let message):
                    Placeholder { MessageView(message: message, perform: perform) }
                case .idle, .loaded: EmptyView()
                }
            }
            .onChange(of: content.status) {
                if case .failed(let message) = content.status { announce(message) }
            }
            .noticeBanner(notice, perform: perform) { model.dismissNotice() }
    }

    private func perform(_ action: Message.Action) async {
        switch action {
        case .signIn: openRoute(.signIn)
        case .changeInput: dismiss()
        case .retry, .retryLater, .clearFilter, .loadAll: await model.retry()
        }
    }
}

extension View {
    /// Shows what takes the place of a thing, and the notice beside it.
    func detailStatus<Details>(
        _ content: DetailState<Details>,
        notice: Message?,
        of model: some DetailViewModel
    ) -> some View {
        modifier(DetailStatusModifier(model: model, content: content, notice: notice))
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
    let retry: @MainActor () async -> Void
    @ViewBuilder let row: (Row) -> RowView

    var body: some View {
        Section(title) {
            switch content.status {
            case .loading:
                ProgressView().frame(maxWidth: .infinity)
            case .empty(let message), .noMatches(let message), .failed(let message):
                Text(message.text)
                RetryButton(message: message, retry: retry)
            case .idle, .ready, .loadingMore, .refreshing, .failedMore, .failedRefresh:
                ForEach(content.rows, content: row)
            }
        }
    }
}
