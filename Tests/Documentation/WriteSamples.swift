import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import Observation
import TestLimits
import TestSupport
import Testing

// The samples of the guide about writes.

nonisolated extension Endpoint<Release> {
    /// `POST /repos/{owner}/{repo}/releases`.
    static func newRelease(tag: String, of repo: String, by owner: GitHub.Login) -> Self {
        .json(
            method: .post,
            .path("/repos/\(owner)/\(repo)/releases"),
            body: ["tag_name": tag]
        ) { (release: Release, _) in
            release
        }
    }
}

nonisolated extension Endpoint<Void> {
    /// `PATCH /repos/{owner}/{repo}/releases/{id}`.
    static func change(_ id: Release.ID, to change: ReleaseChange, of repo: String, by owner: GitHub.Login) -> Self {
        .json(method: .patch, .path("/repos/\(owner)/\(repo)/releases/\(id)"), body: change)
    }

    /// `DELETE /repos/{owner}/{repo}/releases/{id}`.
    static func delete(_ id: Release.ID, of repo: String, by owner: GitHub.Login) -> Self {
        .json(method: .delete, .path("/repos/\(owner)/\(repo)/releases/\(id)"))
    }
}

nonisolated extension Endpoint<Void> {
    /// `POST /api/vote`, with a form.
    static func vote(_ direction: Int, on id: String) -> Self {
        json(method: .post, .path("/api/vote")).sending(form: [QueryItem("id", id), QueryItem("dir", "\(direction)")])
    }
}

nonisolated struct ReleaseChange: Encodable {
    var name: String?
    var isDraft: Bool?

    private enum CodingKeys: String, CodingKey {
        case name
        case isDraft = "draft"
    }
}

nonisolated extension ReleaseRepository {
    func create(tag: String, of repo: String, by owner: GitHub.Login) async throws(BrowseError) {
        _ = try await client.send(.newRelease(tag: tag, of: repo, by: owner))
    }

    func change(
        _ id: Release.ID,
        to change: ReleaseChange,
        of repo: String,
        by owner: GitHub.Login
    ) async throws(BrowseError) {
        try await client.send(.change(id, to: change, of: repo, by: owner))
    }

    func delete(_ id: Release.ID, of repo: String, by owner: GitHub.Login) async throws(BrowseError) {
        try await client.send(.delete(id, of: repo, by: owner))
    }
}

@MainActor @Observable
final class ReleaseForm {
    var tag = ""
    private(set) var problem: Message?
    private(set) var isSending = false
    private let releases: ReleaseRepository
    private let texts: Texts

    init(container: Container) {
        releases = container.releaseRepository()
        texts = container.texts().about(.gitHub).withInput()
    }

    /// Returns whether the release was created.
    func submit() async -> Bool {
        guard !isSending else { return false }
        (isSending, problem) = (true, nil)
        defer { isSending = false }
        do throws(BrowseError) {
            try await releases.create(tag: tag, of: "hello", by: GitHub.Login("octocat"))
            tag = ""
            return true
        } catch {
            if error != .cancelled { problem = texts.message(for: error) }
            return false
        }
    }
}

extension PagedListViewModel where Row == ReleaseRow {
    /// Removes a row at once, and puts it back if the release can't be deleted.
    func delete(_ row: ReleaseRow, texts: Texts, by write: @MainActor () async throws(BrowseError) -> Void) async {
        var position: Int?
        pages.update { position = $0.remove(id: row.id) }
        guard let position else { return }
        do throws(BrowseError) {
            try await write()
            // A page that was requested before still has the row.
            pages.update { $0.remove(id: row.id) }
            if [.loading, .refreshing].contains(state.content.status) { await refresh() }
        } catch {
            pages.update { $0.insert(row, at: position) }
            if error != .cancelled { pages.show(texts.message(for: error).ofChange) }
            if error.mayHaveTakenEffect { await refresh() }
        }
    }
}

/// A change that GitHub has confirmed.
typealias ConfirmedChange = (id: Release.ID, change: ReleaseChange)

nonisolated extension Container {
    /// The changes of all screens.
    var releaseChanges: Dependency<Broadcast<ConfirmedChange>> { dependency(.singleton) { _ in Broadcast() } }
}

extension Broadcast {
    /// Calls a closure with each value until a screen is released.
    @MainActor
    func follow<Screen: AnyObject & Sendable>(
        on screen: Screen,
        _ receive: @escaping @MainActor (Screen, Value) async -> Void
    ) {
        let stream = stream()
        Task { [weak screen] in
            for await value in stream {
                guard let screen else { return }
                await receive(screen, value)
            }
        }
    }
}

nonisolated extension RowMark {
    static let draft = RowMark("draft")
}

/// Releases that a person can publish, and turn into drafts again.
@MainActor
final class DraftMarks {
    /// The changes in progress.
    private var changes: [Release.ID: Bool] = [:]

    init(in list: ListController<DraftRow>, of repo: String, by owner: GitHub.Login, container: Container) {
        let (releases, confirmed) = (container.releaseRepository(), container.releaseChanges())
        let texts = container.texts().about(.gitHub)
        // A page that was requested before still has the old value.
        list.add(RowMarks { row in if let isDraft = self.changes[row.id] { row.isDraft = isDraft } })
        list.onChange(of: .draft) { [weak list] row, isDraft in
            guard let list, self.changes[row.id] == nil else { return nil }
            self.changes[row.id] = isDraft
            list.update { $0.update(id: row.id) { $0.isDraft = isDraft } }
            let change = ReleaseChange(isDraft: isDraft)
            do throws(BrowseError) {
                try await releases.change(row.id, to: change, of: repo, by: owner)
                self.changes[row.id] = nil
                confirmed.send((row.id, change))
            } catch {
                self.changes[row.id] = nil
                list.update { $0.update(id: row.id) { $0.isDraft = !isDraft } }
                if error != .cancelled { list.show(texts.message(for: error).ofChange) }
                if error.mayHaveTakenEffect { await list.controls.refresh() }
            }
            return nil
        }
        // The changes of all screens, of which a page that was requested before has the old value.
        confirmed.follow(on: list) { list, confirmed in
            guard let isDraft = confirmed.change.isDraft else { return }
            list.update { $0.update(id: confirmed.id) { $0.isDraft = isDraft } }
            let isRefreshing = list.pagedList.phase == .loading && list.pagedList.pageCount == 0
            if isRefreshing { await list.controls.refresh() }
        }
    }
}

/// A row whose release can be a draft.
nonisolated struct DraftRow: ListRow {
    let release: Release
    var isDraft = false
    var id: Int64 { release.id }
}

nonisolated extension Endpoint<Release> {
    static func release(_ id: Release.ID, of repo: String, by owner: GitHub.Login) -> Self {
        .json(.path("/repos/\(owner)/\(repo)/releases/\(id)")) { (release: Release, _) in release }
    }
}

/// A screen with a release, which a person can rename.
@MainActor
final class ReleaseViewModel: DetailViewModel {
    struct Details: EntityDetails {
        let facts: [Fact]
    }

    struct State: DetailScreenState {
        var title = ""
        var content: DetailState<Details> = DetailState()
        var notice: Message?
    }

    var states: States<State> { store.states }
    var detail: DetailControls { release.controls }

    private let store = StateStore(State())
    private let release: DetailController<Release, Details>
    private let releases: ReleaseRepository
    private let changes: Broadcast<ConfirmedChange>
    private let texts: Texts
    /// The name that is being sent.
    private var newName: String?

    init(_ releases: ReleaseRepository, changes: Broadcast<ConfirmedChange>, options: ScreenOptions) {
        self.releases = releases
        self.changes = changes
        texts = options.texts
        release = DetailController(in: store, at: \.content, notice: \.notice, options: options) { release in
            Details(facts: [Fact("tag", "Tag", release.tag)])
        }
        store.addPart { [weak self] in
            $0.title = self?.newName ?? self?.release.entity?.name ?? ""
        }
        changes.follow(on: self) { model, confirmed in
            if confirmed.id == model.release.entity?.id { await model.refresh() }
        }
    }

    func show(_ id: Release.ID) async {
        await store.load { state in
            state = State()
            return release.begin { [releases] () throws(BrowseError) in
                try await releases.client.send(.release(id, of: "hello", by: GitHub.Login("octocat")))
            }
        }
    }

    func rename(to name: String) async {
        guard newName == nil, let id = release.entity?.id else { return }
        newName = name
        store.update()
        let change = ReleaseChange(name: name)
        var failure: BrowseError?
        do throws(BrowseError) {
            try await releases.change(id, to: change, of: "hello", by: GitHub.Login("octocat"))
            changes.send((id, change))
        } catch {
            failure = error
        }
        await refresh()
        newName = nil
        store.update()
        if let failure, failure != .cancelled { release.show(texts.message(for: failure).ofChange) }
    }
}

@MainActor
@Suite(.bounded) struct `Samples that write` {
    private let path = "/repos/octocat/hello/releases"
    private let folder = FileManager.default.temporaryDirectory.appending(path: "writes-\(UUID().uuidString)")

    private func chain(on server: ScriptedServer) -> Container {
        var configuration = Configuration()
        configuration.cacheFolder = folder
        configuration.clock = ImmediateClock()
        configuration.locale = Locale(identifier: "en_US")
        return Container.production(on: server.transport(), configuration: configuration)
    }

    @Test(.verifiesMocks) func `tell a person what GitHub refused`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let refusal = #"{"message": "Validation Failed", "errors": [{"field": "tag_name", "code": "missing"}]}"#
        let refused = ScriptedServer.Response.json(refusal, status: 422, headers: .gitHub)
        let created = ScriptedServer.Response.json(#"{"id": 2, "name": null, "tag_name": "v2"}"#, status: 201)
        server.on(.post(path).json(#"{"tag_name": ""}"#), response: refused)
        server.on(.post(path).json(#"{"tag_name": "v2"}"#), response: created)
        let form = ReleaseForm(container: chain(on: server))
        #expect(await !form.submit())
        #expect(form.problem?.kind == .rejected)
        #expect(form.problem?.error?.request?.serverMessage == "Validation Failed (tag_name: missing)")
        form.tag = "v2"
        #expect(await form.submit())
        #expect(form.problem == nil)
    }

    @Test(.verifiesMocks) func `send a form, encoded once`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let vote = RequestMatcher.post("/api/vote").form(["id": "C++ & tea", "dir": "1"])
        server.on(vote.header("Content-Type", "application/x-www-form-urlencoded"), response: .status(204))
        try await chain(on: server).gitHubClient().send(.vote(1, on: "C++ & tea"))
        #expect(server.requests.map(\.body) == [Data("id=C%2B%2B%20%26%20tea&dir=1".utf8)])
    }

    @Test(.verifiesMocks) func `put a row back if it can't be deleted`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let rows = ["v3", "v2", "v1"].enumerated().map { #"{"id": \#(3 - $0), "name": null, "tag_name": "\#($1)"}"# }
        server.on(.get, path, responses: [.json("[\(rows.joined(separator: ","))]"), .json("[\(rows[1])]")])
        let denied = ScriptedServer.Response.json(#"{"message": "No"}"#, status: 403, headers: .gitHub)
        server.on(.delete, path + "/2", response: denied)
        server.on(.delete, path + "/1", response: .status(204))
        let container = chain(on: server)
        let (options, releases) = (container.screenOptions(for: .gitHub), container.releaseRepository())
        let owner = GitHub.Login("octocat")
        let model = PagedListViewModel<String, ReleaseRow>(options: options) { repo in
            repo
        } empty: { _ in
            options.texts.noMatches
        } page: { repo, cursor throws(BrowseError) in
            try await releases.page(of: repo, by: owner, at: cursor)
        } row: { release in
            ReleaseRow(release: release)
        }
        await model.show("hello")
        let (middle, last) = (model.state.content.rows[1], model.state.content.rows[2])
        await model.delete(middle, texts: options.texts) { () throws(BrowseError) in
            try await releases.delete(middle.id, of: "hello", by: owner)
        }
        #expect(model.state.content.rows.map(\.release.tag) == ["v3", "v2", "v1"])
        #expect(model.state.notice?.kind == .forbidden)
        await model.delete(last, texts: options.texts) { () throws(BrowseError) in
            try await releases.delete(last.id, of: "hello", by: owner)
        }
        #expect(model.state.content.rows.map(\.release.tag) == ["v3", "v2"])
        // The response to the first attempt is lost, so a second one finds nothing.
        server.on(.delete, path + "/3", responses: [.failure(.networkConnectionLost), .gitHubNotFound])
        let first = model.state.content.rows[0]
        await model.delete(first, texts: options.texts) { () throws(BrowseError) in
            try await releases.delete(first.id, of: "hello", by: owner)
        }
        #expect(model.state.content.rows.map(\.release.tag) == ["v2"])
    }

    /// Shows a list, and refreshes it during a change; the second response is from before the change.
    private func showOld<Row: ListRow>(
        _ responses: [ScriptedServer.Response],
        on server: ScriptedServer,
        in model: PagedListViewModel<String, Row>,
        during change: @MainActor () async -> Void
    ) async {
        let lists = server.on(.get, path, responses: responses)
        await model.show("hello")
        let refresh = Task { await model.refresh() }
        await lists.waitForRequests(2)
        await change()
        await lists.waitForRequests(responses.count)
        server.release()
        await refresh.value
    }

    private func list<Row: ListRow>(
        in container: Container,
        row: @escaping @MainActor @Sendable (Release) -> Row
    ) -> PagedListViewModel<String, Row> {
        let (options, releases) = (container.screenOptions(for: .gitHub), container.releaseRepository())
        return PagedListViewModel(options: options) { repo in
            repo
        } empty: { _ in
            options.texts.noMatches
        } page: { repo, cursor throws(BrowseError) in
            try await releases.page(of: repo, by: GitHub.Login("octocat"), at: cursor)
        } row: { release in
            row(release)
        }
    }

    private func detail(in container: Container) -> ReleaseViewModel {
        let options = container.screenOptions(for: .gitHub)
        return ReleaseViewModel(container.releaseRepository(), changes: container.releaseChanges(), options: options)
    }

    @Test(.verifiesMocks) func `leave out a deleted row that an older page has`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        server.on(.delete, path + "/1", response: .status(204))
        let container = chain(on: server)
        let (texts, releases) = (container.texts(), container.releaseRepository())
        let model = list(in: container) { ReleaseRow(release: $0) }
        let rows = ["v2", "v1"].enumerated().map { #"{"id": \#(2 - $0), "name": null, "tag_name": "\#($1)"}"# }
        let old = ScriptedServer.Response.json("[\(rows.joined(separator: ","))]")
        await showOld([old, old.held(), .json("[\(rows[0])]")], on: server, in: model) {
            await model.delete(model.state.content.rows[1], texts: texts) { () throws(BrowseError) in
                try await releases.delete(1, of: "hello", by: GitHub.Login("octocat"))
            }
        }
        #expect(model.state.content.rows.map(\.release.tag) == ["v2"])
    }

    @Test(.verifiesMocks) func `keep the mark of a row that an older page lacks`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        server.on(RequestMatcher(.patch, path + "/1").json(#"{"draft": true}"#), response: .status(204))
        let container = chain(on: server)
        let model = list(in: container) { DraftRow(release: $0, isDraft: $0.name == "Draft") }
        _ = DraftMarks(in: model.pages, of: "hello", by: GitHub.Login("octocat"), container: container)
        let old = ScriptedServer.Response.json(#"[{"id": 1, "name": null, "tag_name": "v1"}]"#)
        let new = ScriptedServer.Response.json(#"[{"id": 1, "name": "Draft", "tag_name": "v1"}]"#)
        await showOld([old, old.held(), new], on: server, in: model) {
            _ = await model.set(.draft, of: 1, to: true)
        }
        try await waitUntil { model.state.content.status == .ready }
        #expect(model.state.content.rows.map(\.isDraft) == [true])
    }

    @Test(.verifiesMocks) func `show a change of one screen on the others`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let bodies = ["One", "Two"].map { #"{"id": 1, "name": "\#($0)", "tag_name": "v1"}"# }
        server.on(.get, path, response: .json("[\(bodies[0])]"))
        server.on(.get, path + "/1", responses: bodies.map { ScriptedServer.Response.json($0) })
        server.on(RequestMatcher(.patch, path + "/1").json(#"{"draft": true}"#), response: .status(204))
        let container = chain(on: server)
        let lists = [list(in: container) { DraftRow(release: $0) }, list(in: container) { DraftRow(release: $0) }]
        for list in lists {
            _ = DraftMarks(in: list.pages, of: "hello", by: GitHub.Login("octocat"), container: container)
            await list.show("hello")
        }
        let detail = detail(in: container)
        await detail.show(1)
        await lists[0].set(.draft, of: 1, to: true)
        try await waitUntil { lists[1].state.content.rows.map(\.isDraft) == [true] && detail.state.title == "Two" }
        #expect(lists[0].state.content.rows.map(\.isDraft) == [true])
    }

    @Test(.verifiesMocks) func `show the new name of a release before GitHub has confirmed it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let name = Monitor("One")
        // The change that the screen follows can load it once more.
        let release = ScriptedServer.Response.computed { _ in
            .json(#"{"id": 2, "name": "\#(name.value)", "tag_name": "v2"}"#)
        }
        server.on(.get, path + "/2", response: release)
        let renaming = RequestMatcher(.patch, path + "/2").json(#"{"name": "Two"}"#)
        server.on(renaming, response: .status(204).held())
        let container = chain(on: server)
        let model = detail(in: container)
        await model.show(2)
        #expect(model.state.title == "One")
        let change = Task { await model.rename(to: "Two") }
        try await waitUntil { model.state.title == "Two" }
        name.withLock { $0 = "Two" }
        server.release()
        await change.value
        #expect(model.state.title == "Two" && model.state.notice == nil)
    }
}
