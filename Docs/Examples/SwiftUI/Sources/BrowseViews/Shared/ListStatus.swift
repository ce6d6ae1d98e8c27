import BrowseKit
import SwiftUI

/// The rows of a list, between the result of the last refresh and the state of the next page.
struct ListRows<Model: ListViewModel, RowView: View>: View {
    let model: Model
    @ViewBuilder let row: (Model.Row) -> RowView

    var body: some View {
        RefreshRow(model: model)
        PagedRows(model: model, rows: model.state.content.rows, row: row)
        NextPageRow(model: model)
    }
}

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

/// The first row of a list: the age of cached rows, and why they couldn't be updated.
struct RefreshRow<Model: ListViewModel>: View {
    let model: Model

    var body: some View {
        let content = model.state.content
        if case .failedRefresh(let message) = content.status {
            FailureRow(model: model, message: message)
        }
        if let age = content.age, !content.rows.isEmpty {
            Text(age).font(.footnote).foregroundStyle(.secondary)
        }
    }
}

/// The last row of a list: the state of the next page.
struct NextPageRow<Model: ListViewModel>: View {
    let model: Model

    @Environment(\.texts) private var texts

    var body: some View {
        let content = model.state.content
        switch content.status {
        case .loadingMore:
            // A list reuses the row, and a spinner that appears again doesn't spin unless it is another view.
            ProgressView().id(content.loadedCount).frame(maxWidth: .infinity)
        case .failedMore(let message):
            FailureRow(model: model, message: message)
        case .ready where content.hasMore:
            // Rows that stay visible don't appear again after a filter or a refresh, so perhaps none loads the next page.
            Button(texts(.loadMore)) {
                Task { await model.loadMore() }
            }
        case .idle, .loading, .ready, .refreshing, .empty, .noMatches, .failed, .failedRefresh:
            EmptyView()
        }
    }
}

/// The reason why a page couldn't be loaded, with the action that helps.
private struct FailureRow<Model: ListViewModel>: View {
    let model: Model
    let message: Message

    var body: some View {
        VStack(alignment: .leading) {
            Text(message.text)
            RetryButton(message: message) { await model.retry() }
        }
    }
}

extension View {
    /// Shows the status in place of a list's rows, shows notices, and lets a person refresh the list.
    ///
    /// - Parameters:
    ///   - model: The view model of the list.
    ///   - prompt: Takes the place of rows before the first search.
    ///   - perform: Performs the actions that only the screen knows: changing the input, clearing the filter, and loading all.
    func listStatus<Model: ListViewModel>(
        of model: Model,
        prompt: SearchPrompt? = nil,
        perform: @escaping @MainActor (Message.Action) async -> Void
    ) -> some View {
        modifier(ListStatusModifier(model: model, prompt: prompt, perform: perform))
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
    let prompt: SearchPrompt?
    let perform: @MainActor (Message.Action) async -> Void

    @Environment(\.openRoute) private var openRoute

    private var content: ListState<Model.Row> { model.state.content }

    func body(content view: Content) -> some View {
        view
            .overlay { placeholder }
            .onChange(of: content.status) {
                if let message = content.status.message { announce(message) }
            }
            .refreshing { await model.refresh() }
            .noticeBanner(model.state.notice, perform: performAction) { model.dismissNotice() }
            .navigationTitle(model.state.title)
    }

    @ViewBuilder private var placeholder: some View {
        switch content.status {
        case .loading:
            ProgressView()
        case .empty(let message), .noMatches(let message), .failed(let message):
            Placeholder { MessageView(message: message, perform: performAction) }
        case .idle:
            if let prompt { Placeholder { prompt } }
        case .ready, .loadingMore, .refreshing, .failedMore, .failedRefresh:
            EmptyView()
        }
    }

    private func performAction(_ action: Message.Action) async {
        switch action {
        case .retry, .retryLater: await model.retry()
        case .signIn: openRoute(.signIn)
        case .open(let page): openRoute(.webPage(page))
        case .changeInput, .clearFilter, .loadAll: await perform(action)
        }
    }
}
