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

/// The last row of a list: the next page while it is loaded, or why it couldn't be.
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
        default:
            EmptyView()
        }
    }
}

extension View {
    /// Shows the status in place of a list's rows, shows notices, and adds pull to refresh.
    ///
    /// - Parameters:
    ///   - content: The list's part of the state.
    ///   - notice: The notice of the state.
    ///   - model: The view model of the list.
    ///   - perform: Performs the actions that only the screen knows: changing the input, clearing the filter, and loading all.
    func listStatus<Model: ListViewModel>(
        _ content: ListState<Model.Row>,
        notice: Message?,
        of model: Model,
        perform: @escaping @MainActor (Message.Action) async -> Void = { _ in }
    ) -> some View {
        modifier(ListStatusModifier(model: model, content: content, notice: notice, perform: perform))
    }

    /// Shows a notice at the bottom of the screen.
    func noticeBanner(_ notice: Message?, dismiss: @escaping @MainActor () -> Void) -> some View {
        safeAreaInset(edge: .bottom) {
            if let notice { NoticeBanner(notice: notice, dismiss: dismiss).id(notice) }
        }
    }
}

private struct ListStatusModifier<Model: ListViewModel>: ViewModifier {
    let model: Model
    let content: ListState<Model.Row>
    let notice: Message?
    let perform: @MainActor (Message.Action) async -> Void

    @Environment(\.openRoute) private var openRoute

    func body(content view: Content) -> some View {
        view
            .overlay { placeholder }
            // SwiftUI may cancel the action when it updates the view, and a refresh updates it. A task of its own goes on.
            .refreshable { await Task { await model.refresh() }.value }
            .noticeBanner(notice) { model.dismissNotice() }
    }

    @ViewBuilder private var placeholder: some View {
        switch content.status {
        case .loading:
            if let waiting = content.waiting {
                MessageView(message: waiting, perform: performAction)
            } else {
                ProgressView()
            }
        case .empty(let message), .noMatches(let message), .failed(let message):
            MessageView(message: message, perform: performAction)
        case .idle, .ready, .loadingMore, .refreshing, .failedMore:
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
