import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import Observation
import SwiftUI

// A list with a form in a sheet; the page "Build a SwiftUI app" shows it.

struct ReleasesScreen: View {
    private let container: Container
    @State private var model: PagedListViewModel<GitHub.Login, ReleaseRow>
    @State private var isAdding = false

    init(container: Container) {
        self.container = container
        _model = State(initialValue: container.releaseListViewModel())
    }

    var body: some View {
        List {
            BrowseRows(model, container: container) { row in Text(row.release.tag) }
        }
        .browseStatus(of: model, container: container)
        .task { await model.showIfNeeded(GitHub.Login("octocat")) }
        .toolbar {
            Button(container.texts()(.newRelease), systemImage: "plus") { isAdding = true }
        }
        .sheet(isPresented: $isAdding) {
            Task { await model.refresh() }
        } content: {
            AppStack(container: container) { ReleaseSheet(container: container) }
                .presentationSizing(.form)
        }
    }
}

struct ReleaseSheet: View {
    private let texts: Texts
    @State private var form: ReleaseForm
    @Environment(\.dismiss) private var dismiss
    @Environment(\.openBrowseRoute) private var openRoute

    init(container: Container) {
        texts = container.texts()
        _form = State(initialValue: ReleaseForm(container: container))
    }

    var body: some View {
        Form {
            TextField(texts(.tag), text: $form.tag).browseExactInput()
            if let problem = form.problem {
                Text(problem.text).foregroundStyle(.red)
                if let route = problem.action?.route, let title = problem.actionTitle {
                    Button(title) { openRoute(route) }
                }
            }
        }
        .formStyle(.grouped)
        .navigationTitle(texts(.newRelease))
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button(texts(.cancel), role: .cancel) { dismiss() }
                    .disabled(form.isSending)
            }
            ToolbarItem(placement: .confirmationAction) {
                Button(texts(.create)) {
                    Task {
                        if await form.submit() { dismiss() }
                    }
                }
                .disabled(form.isSending)
            }
        }
        .interactiveDismissDisabled(form.isSending)
        .onChange(of: form.problem) { form.problem?.announce() }
    }
}

struct ReleaseScreen: View {
    let id: Release.ID
    let container: Container

    var body: some View {
        BrowseDetail(container.releaseViewModel(), container: container) {
            await $0.showIfNeeded(id)
        } sections: { _, details in
            BrowseFacts(details.facts)
        } actions: { model in
            RenameButton(model: model, container: container)
        }
    }
}

/// A button of a detail, with the sheet that it opens.
struct RenameButton: View {
    let model: ReleaseViewModel
    let container: Container
    @State private var isRenaming = false

    var body: some View {
        let texts = container.texts()
        if model.state.content.details != nil {
            Button(texts(.rename), systemImage: "pencil") { isRenaming = true }
                .sheet(isPresented: $isRenaming) {
                    NavigationStack { RenameSheet(model: model, texts: texts, name: model.state.title) }
                        .presentationSizing(.form)
                }
        }
    }
}

struct RenameSheet: View {
    let model: ReleaseViewModel
    let texts: Texts
    @State var name: String
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form { TextField(texts(.name), text: $name) }
            .formStyle(.grouped)
            .navigationTitle(texts(.rename))
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button(texts(.cancel), role: .cancel) { dismiss() }
                }
                ToolbarItem(placement: .confirmationAction) {
                    Button(texts(.save)) {
                        // The detail shows the new name at once, and a notice if that fails.
                        Task { await model.rename(to: name) }
                        dismiss()
                    }
                }
            }
    }
}

nonisolated extension Phrase {
    fileprivate static let newRelease = Phrase("app.newRelease", "New Release", ko: "새 릴리스")
    fileprivate static let tag = Phrase("app.tag", "Tag", ko: "태그")
    fileprivate static let create = Phrase("app.create", "Create", ko: "생성")
    fileprivate static let rename = Phrase("app.rename", "Rename", ko: "이름 변경")
    fileprivate static let save = Phrase("app.save", "Save", ko: "저장")
}

// These stand in for the code of the pages "Add a GitHub endpoint" and "Write to a service".

nonisolated struct Release: Hashable, Identifiable, Sendable {
    let id: Int64
    let tag: String
}

nonisolated struct ReleaseRow: ListRow {
    let release: Release
    var id: Int64 { release.id }
}

@MainActor @Observable
final class ReleaseForm {
    var tag = ""
    private(set) var problem: Message?
    private(set) var isSending = false

    init(container: Container) {}

    func submit() async -> Bool { !tag.isEmpty }
}

@MainActor
final class ReleaseViewModel: DetailViewModel {
    struct Details: EntityDetails {
        let facts: [Fact]
    }

    typealias State = EntityState<Details>

    var states: States<State> { store.states }
    var detail: DetailControls { release.controls }

    private let store = StateStore(State())
    private let release: DetailController<Release, Details>

    init(options: ScreenOptions) {
        release = DetailController(in: store, at: \.content, notice: \.notice, options: options) { release in
            Details(facts: [Fact("tag", "Tag", release.tag)])
        }
    }

    func showIfNeeded(_ id: Release.ID) async {
        let load = release.begin { () throws(BrowseError) in Release(id: id, tag: "v1") }
        await load()
    }

    func rename(to name: String) async {
        store.update { $0.title = name }
    }
}

@MainActor
extension Container {
    fileprivate func releaseViewModel() -> ReleaseViewModel {
        ReleaseViewModel(options: screenOptions(for: .gitHub))
    }

    fileprivate func releaseListViewModel() -> PagedListViewModel<GitHub.Login, ReleaseRow> {
        PagedListViewModel(options: screenOptions(for: .gitHub)) { login in
            login.rawValue
        } empty: { _ in
            Message(kind: .empty, title: "No Releases", text: "")
        } page: { _, _ throws(BrowseError) in
            Page(items: [Release(id: 1, tag: "v1")])
        } row: { release in
            ReleaseRow(release: release)
        }
    }
}

#Preview("Release") {
    ReleaseScreen(id: 1, container: .offline())
}

#Preview("Releases") {
    BrowseStack {
        ReleasesScreen(container: .offline())
    } screen: { _ in
    }
}
