#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Accessibility
public import BrowseCore
public import SwiftUI

/// A list of results, with a field for the first text of the query, and a menu of its choices.
public struct BrowseSearch<Model: SearchViewModel, Rows: View>: View {
    @State private var model: Model
    private let container: Container
    private let load: @MainActor (Model) async -> Void
    private let prompt: @MainActor (Model) -> (title: String, text: String)?
    private let rows: @MainActor (Model) -> Rows
    @FocusState private var isSearching: Bool

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - model: The view model; those of later calls for the same screen are ignored, as by
    ///     `State`.
    ///   - container: Has the texts.
    ///   - load: Loads the first results when the screen appears.
    ///   - prompt: Returns a title and a text in place of rows before the first search.
    ///   - rows: Creates the rows of the list.
    public init(
        _ model: Model,
        container: Container,
        load: @escaping @MainActor (Model) async -> Void = { _ in },
        prompt: @escaping @MainActor (Model) -> (title: String, text: String)? = { _ in nil },
        @ViewBuilder rows: @escaping @MainActor (Model) -> Rows
    ) {
        _model = State(initialValue: model)
        self.container = container
        self.load = load
        self.prompt = prompt
        self.rows = rows
    }

    /// The screen.
    public var body: some View {
        let state = model.state
        List {
            if let text = state.hint ?? state.summary { Text(text).font(.footnote).foregroundStyle(.secondary) }
            rows(model)
        }
        .browseStatus(of: model, container: container, prompt: state.hint == nil ? prompt(model) : nil) {
            isSearching = true
        }
        .searchable(text: text, prompt: textField?.title ?? "")
        .searchFocused($isSearching)
        .browseExactInput()
        .onSubmit(of: .search) {
            Task {
                await model.submit()
                if let hint = model.state.hint { AccessibilityNotification.Announcement(hint).post() }
            }
        }
        .onChange(of: [.loading, .refreshing].contains(state.content.status) ? nil : state.summary) { _, summary in
            // The rows appear away from VoiceOver's cursor (WCAG 4.1.3). Another search can have as
            // many as the one before.
            if let summary { AccessibilityNotification.Announcement(summary).post() }
        }
        .toolbar {
            if state.fields.contains(where: { $0.input != .text }) {
                Menu(container.texts()(.filter), systemImage: "line.3.horizontal.decrease") {
                    ForEach(state.fields) { field in
                        if case .choice(let choices) = field.input {
                            Picker(field.title, selection: binding(of: field)) {
                                ForEach(choices) { Text($0.title) }
                            }
                            // A submenu: inline, several lists would begin with an "Any" that
                            // doesn't say of what.
                            .pickerStyle(.menu)
                        }
                    }
                }
            }
        }
        .task { await load(model) }
    }

    private var textField: QueryField<Model.State.Query>? { model.state.fields.first { $0.input == .text } }

    private var text: Binding<String> { textField.map(binding) ?? .constant("") }

    private func binding(of field: QueryField<Model.State.Query>) -> Binding<String> {
        Binding {
            field.value(in: model.query)
        } set: {
            model.query = field.setting($0, in: model.query)
        }
    }
}

extension View {
    /// Takes text as it is typed, such as an identifier: it isn't corrected or capitalized.
    public func browseExactInput() -> some View {
        #if os(iOS)
        autocorrectionDisabled().textInputAutocapitalization(.never)
        #else
        autocorrectionDisabled()
        #endif
    }
}
#endif
