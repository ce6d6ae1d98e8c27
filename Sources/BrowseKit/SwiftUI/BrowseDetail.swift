#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import BrowseCore
public import SwiftUI

/// A list with the details of one thing, or with what takes their place.
public struct BrowseDetail<Model: DetailViewModel, Sections: View, Actions: View>: View {
    @State private var model: Model
    private let container: Container
    private let load: @MainActor (Model) async -> Void
    private let sections: (Model, Model.State.Details) -> Sections
    private let actions: (Model) -> Actions

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - model: The view model; those of later calls for the same screen are ignored, as by
    ///     `State`.
    ///   - container: Has the texts.
    ///   - load: Loads the thing when the screen appears.
    ///   - sections: Creates the sections of the list from the details.
    ///   - actions: Creates the buttons of the toolbar.
    public init(
        _ model: Model,
        container: Container,
        load: @escaping @MainActor (Model) async -> Void,
        @ViewBuilder sections: @escaping (Model, Model.State.Details) -> Sections,
        @ViewBuilder actions: @escaping (Model) -> Actions
    ) {
        _model = State(initialValue: model)
        self.container = container
        self.load = load
        self.sections = sections
        self.actions = actions
    }

    /// The screen.
    public var body: some View {
        let content = model.state.content
        List {
            if let details = content.details { sections(model, details) }
            if let age = content.age { Text(age).font(.footnote).foregroundStyle(.secondary) }
        }
        .browseStatus(of: model, container: container)
        .toolbar { actions(model) }
        .task { await load(model) }
    }
}

/// Facts with their labels; those with a route lead to it.
public struct BrowseFacts: View {
    private let facts: [Fact]

    /// Creates the rows.
    public init(_ facts: [Fact]) {
        self.facts = facts
    }

    /// The rows.
    public var body: some View {
        ForEach(facts) { fact in
            BrowseLink(fact.route) {
                LabeledContent(fact.label) {
                    Text(fact.value).foregroundStyle(fact.isMissing ? .tertiary : .secondary)
                }
            }
        }
    }
}

extension View {
    /// Shows the title of a thing, notices, and what takes its place, and lets a person refresh it.
    public func browseStatus(of model: some DetailViewModel, container: Container) -> some View {
        modifier(DetailStatusModifier(model: model, texts: container.texts()))
    }
}

private struct DetailStatusModifier<Model: DetailViewModel>: ViewModifier {
    let model: Model
    let texts: Texts

    @Environment(\.dismiss) private var dismiss

    private var status: DetailState<Model.State.Details>.Status { model.state.content.status }

    func body(content view: Content) -> some View {
        view
            .overlay {
                if let message = status.message {
                    Placeholder { BrowseMessage(message, perform: perform) }
                } else if status == .loading {
                    ProgressView()
                }
            }
            .onChange(of: status) {
                status.message?.announce()
            }
            .refreshing(texts, after: [status.message, model.state.notice]) { await model.refresh() }
            .safeAreaInset(edge: .bottom) {
                NoticeBanner(notice: model.state.notice, texts: texts, perform: perform) { model.dismissNotice() }
            }
            .navigationTitle(model.state.title)
            // Names can be too long for a large title.
            .toolbarTitleDisplayMode(.inline)
    }

    private func perform(_ action: Message.Action) async -> Route? {
        if action == .changeInput { dismiss() }
        return await model.perform(action)
    }
}
#endif
