#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import BrowseCore
public import SwiftUI

/// The rows of a list, between the result of the last refresh and the state of the next page.
public struct BrowseRows<Model: ListViewModel, RowView: View>: View {
    private let model: Model
    private let ordered: [Model.Row]?
    private let sections: [FavoriteSection]?
    private let row: (Model.Row) -> RowView
    private let texts: Texts

    /// Creates the rows, which report that they appeared.
    ///
    /// - Parameters:
    ///   - model: The view model of the list.
    ///   - container: Has the texts.
    ///   - rows: The rows of the list in an order of your own; `nil` is that of the list.
    ///   - sections: The sections of favorites by name; `nil` for a list without sections.
    ///   - row: Creates the view of a row. One that has only values is evaluated again only if
    ///     they differ.
    public init(
        _ model: Model,
        container: Container,
        rows: [Model.Row]? = nil,
        sections: [FavoriteSection]? = nil,
        @ViewBuilder row: @escaping (Model.Row) -> RowView
    ) {
        self.model = model
        ordered = rows
        texts = container.texts()
        self.sections = sections
        self.row = row
    }

    /// The rows.
    public var body: some View {
        let content = model.state.content
        if let message = content.layout.header { MessageRow(message: message, perform: model.perform) }
        // A cached list without rows is as old as one with rows.
        if let age = content.age { Text(age).font(.footnote).foregroundStyle(.secondary) }
        if let sections, !sections.isEmpty {
            ForEach(sections, id: \.title) { group in
                Section(group.title) { views(of: content.rows[group.positions]) }
            }
        } else if let ordered {
            ForEach(ordered) { item in
                row(item).task {
                    await model.rowAppeared(item.id)
                    // The last rows of the list can be anywhere.
                    if item.id == ordered.last?.id { await model.loadMore() }
                }
            }
        } else {
            views(of: content.rows)
        }
        switch content.layout.footer {
        case .spinner?:
            // A list reuses the row, and a spinner that appears again doesn't spin unless it is
            // another view.
            ProgressView().id(content.loadedCount).frame(maxWidth: .infinity)
        case .message(let message)?:
            MessageRow(message: message, perform: model.perform)
        case .more?:
            Button(texts(.more)) {
                Task { await model.loadMore() }
            }
        case nil:
            EmptyView()
        }
    }

    private func views(of rows: some RandomAccessCollection<Model.Row>) -> some View {
        ForEach(rows) { item in
            row(item).task { await model.rowAppeared(item.id) }
        }
    }
}

extension View {
    /// Shows a list's title, notices, and the status in place of its rows, and lets a person
    /// refresh it.
    ///
    /// - Parameters:
    ///   - model: The view model of the list.
    ///   - container: Has the texts.
    ///   - prompt: A title and a text in place of rows, before the first search.
    ///   - edit: Lets the person change the input; `nil` goes back to the screen before.
    public func browseStatus(
        of model: some ListViewModel,
        container: Container,
        prompt: (title: String, text: String)? = nil,
        edit: (@MainActor () -> Void)? = nil
    ) -> some View {
        modifier(ListStatusModifier(model: model, texts: container.texts(), prompt: prompt, edit: edit))
    }
}

private struct ListStatusModifier<Model: ListViewModel>: ViewModifier {
    let model: Model
    let texts: Texts
    let prompt: (title: String, text: String)?
    let edit: (@MainActor () -> Void)?

    @Environment(\.dismiss) private var dismiss
    @Environment(\.browseShowsSpinner) private var showsSpinner

    private var content: ListState<Model.Row> { model.state.content }

    func body(content view: Content) -> some View {
        view
            .overlay { placeholder }
            .onChange(of: content.status) {
                content.status.message?.announce()
            }
            .refreshing(texts, after: [content.status.message, model.state.notice]) { await model.refresh() }
            .safeAreaInset(edge: .bottom) {
                NoticeBanner(notice: model.state.notice, texts: texts, perform: perform) { model.dismissNotice() }
            }
            .navigationTitle(model.state.title)
    }

    @ViewBuilder private var placeholder: some View {
        switch content.layout.placeholder {
        case .spinner?: if showsSpinner { ProgressView() }
        case .message(let message)?: Placeholder { BrowseMessage(message, perform: perform) }
        case .more?, nil:
            if content.status == .idle, let prompt {
                Placeholder {
                    ContentUnavailableView(prompt.title, systemImage: "magnifyingglass", description: Text(prompt.text))
                }
            }
        }
    }

    private func perform(_ action: Message.Action) async -> Route? {
        if action == .changeInput { if let edit { edit() } else { dismiss() } }
        return await model.perform(action)
    }
}

/// A section with the items that are related to a thing.
public struct BrowseRelatedSection<Row: ListRow, RowView: View>: View {
    private let title: String
    private let content: ListState<Row>
    private let list: ListControls<Row>
    private let row: (Row) -> RowView

    /// Creates a section with the state and the intents of its list.
    public init(
        _ title: String,
        content: ListState<Row>,
        list: ListControls<Row>,
        @ViewBuilder row: @escaping (Row) -> RowView
    ) {
        self.title = title
        self.content = content
        self.list = list
        self.row = row
    }

    /// The section.
    public var body: some View {
        Section(title) {
            switch content.layout.placeholder {
            case .spinner?: ProgressView().frame(maxWidth: .infinity)
            case .message(let message)?: MessageRow(message: message, perform: list.perform)
            case .more?, nil: EmptyView()
            }
            if let message = content.layout.header { MessageRow(message: message, perform: list.perform) }
            if let age = content.age { Text(age).font(.footnote).foregroundStyle(.secondary) }
            ForEach(content.rows, content: row)
            if case .message(let message)? = content.layout.footer {
                MessageRow(message: message, perform: list.perform)
            }
        }
    }
}
#endif
