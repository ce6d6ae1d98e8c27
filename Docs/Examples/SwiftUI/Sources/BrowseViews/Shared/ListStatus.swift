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
        if let message = content.layout.header { MessageRow(model: model, message: message) }
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
        switch content.layout.footer {
        case .spinner?:
            // A list reuses the row, and a spinner that appears again doesn't spin unless it is another view.
            Spinner(delay: content.delay).id(content.loadedCount).frame(maxWidth: .infinity)
        case .message(let message)?:
            MessageRow(model: model, message: message)
        case .more?:
            Button(texts(.more)) {
                Task { await model.loadMore() }
            }
        case nil:
            EmptyView()
        }
    }
}

/// A message beside the rows of a list, with the action that helps.
private struct MessageRow<Model: ListViewModel>: View {
    let model: Model
    let message: Message

    @Environment(\.openRoute) private var openRoute

    var body: some View {
        VStack(alignment: .leading) {
            Text(message.text)
            MessageButton(message: message) { openRoute(await model.perform($0)) }
        }
    }
}

extension View {
    /// Shows the status in place of a list's rows, shows notices, and lets a person refresh the list.
    ///
    /// - Parameters:
    ///   - model: The view model of the list.
    ///   - prompt: Takes the place of rows before the first search.
    ///   - edit: Lets the person change the input.
    func listStatus<Model: ListViewModel>(
        of model: Model,
        prompt: SearchPrompt? = nil,
        edit: @escaping @MainActor () -> Void
    ) -> some View {
        modifier(ListStatusModifier(model: model, prompt: prompt, edit: edit))
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
    let edit: @MainActor () -> Void

    @Environment(\.openRoute) private var openRoute

    private var content: ListState<Model.Row> { model.state.content }

    func body(content view: Content) -> some View {
        view
            .overlay { placeholder }
            .onChange(of: content.status) {
                if let message = content.status.message { announce(message) }
            }
            .refreshing { await model.refresh() }
            .noticeBanner(model.state.notice, perform: perform) { model.dismissNotice() }
            .navigationTitle(model.state.title)
    }

    @ViewBuilder private var placeholder: some View {
        switch content.layout.placeholder {
        case .spinner?: Spinner(delay: content.delay)
        case .message(let message)?: Placeholder { MessageView(message: message, perform: perform) }
        case .more?, nil:
            if content.status == .idle, let prompt { Placeholder { prompt } }
        }
    }

    private func perform(_ action: Message.Action) async {
        if action == .changeInput { edit() }
        openRoute(await model.perform(action))
    }
}
