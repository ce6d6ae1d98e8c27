import BrowseKit
import SwiftUI

/// The rows of a list, which report that they appeared.
struct PagedRows<Model: ListViewModel, Positions: RandomAccessCollection<Model.Row>, RowView: View>: View {
    let model: Model
    let rows: Positions
    @ViewBuilder let row: (Model.Row) -> RowView

    var body: some View {
        ForEach(rows) { item in
            row(item).task { await model.rowAppeared(item.id) }
        }
    }
}

/// The last row of a list: the state of the next page, or the age of cached rows.
struct NextPageRow<Row: ListRow>: View {
    let content: ListState<Row>
    let retry: @MainActor () async -> Void

    var body: some View {
        switch content.status {
        case .loadingMore:
            VStack {
                // A list reuses the row, and a spinner that appears again doesn't spin unless it is another view.
                ProgressView().id(content.loadedCount)
                if let waiting = content.waiting { Text(waiting.title).font(.footnote) }
            }
            .frame(maxWidth: .infinity)
        case .failedMore(let message):
            VStack(alignment: .leading) {
                Text(message.text)
                MessageButton(message: message) { _ in await retry() }
            }
        case .idle, .loading, .ready, .refreshing, .empty, .noMatches, .failed:
            if let age = content.age, !content.rows.isEmpty {
                Text(age).font(.footnote).foregroundStyle(.secondary)
            }
        }
    }
}

extension View {
    /// Shows the status in place of a list's rows, shows notices, and lets a person refresh the list.
    ///
    /// - Parameters:
    ///   - content: The list's part of the state.
    ///   - notice: The notice of the state.
    ///   - model: The view model of the list.
    ///   - prompt: Takes the place of rows before the first search.
    ///   - perform: Performs the actions that only the screen knows: changing the input, clearing the filter, and loading all.
    func listStatus<Model: ListViewModel>(
        _ content: ListState<Model.Row>,
        notice: Message?,
        of model: Model,
        prompt: SearchPrompt? = nil,
        perform: @escaping @MainActor (Message.Action) async -> Void = { _ in }
    ) -> some View {
        modifier(ListStatusModifier(model: model, content: content, notice: notice, prompt: prompt, perform: perform))
    }

    /// Shows a notice at the bottom of the screen.
    func noticeBanner(
        _ notice: Message?,
        perform: @escaping @MainActor (Message.Action) async -> Void,
        dismiss: @escaping @MainActor () -> Void
    ) -> some View {
        safeAreaInset(edge: .bottom) {
            if let notice { NoticeBanner(notice: notice, perform: perform, dismiss: dismiss).id(notice) }
        }
    }
}

private struct ListStatusModifier<Model: ListViewModel>: ViewModifier {
    let model: Model
    let content: ListState<Model.Row>
    let notice: Message?
    let prompt: SearchPrompt?
    let perform: @MainActor (Message.Action) async -> Void

    @Environment(\.openRoute) private var openRoute

    func body(content view: Content) -> some View {
        view
            .overlay { placeholder }
            .refreshing { await model.refresh() }
            .noticeBanner(notice, perform: performAction) { model.dismissNotice() }
    }

    @ViewBuilder private var placeholder: some View {
        switch content.status {
        case .loading:
            if let waiting = content.waiting {
                Placeholder { MessageView(message: waiting, perform: performAction) }
            } else {
                ProgressView()
            }
        case .empty(let message), .noMatches(let message), .failed(let message):
            Placeholder { MessageView(message: message, perform: performAction) }
        case .idle:
            if let prompt { Placeholder { prompt } }
        case .ready, .loadingMore, .refreshing, .failedMore:
            EmptyView()
        }
    }

    private func performAction(_ action: Message.Action) async {
        switch action {
        case .retry, .retryLater: await model.retry()
        case .signIn: openRoute(.signIn)
        case .changeInput, .clearFilter, .loadAll: await perform(action)
        }
    }
}
