import BrowseData
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import Foundation
import Observation
import TestLimits
import Testing

/// A row with a number only.
private struct Number: ListRow { let id: Int }

extension ScreenOptions {
    @MainActor fileprivate static var plain: ScreenOptions {
        ScreenOptions(texts: Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt))
    }
}

@MainActor
extension Container {
    fileprivate func followers() async -> FollowerListViewModel {
        let list = followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        return list
    }

    fileprivate func repos() async -> RepoListViewModel {
        let list = repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("octocat")))
        return list
    }
}

/// View models that views, and other readers of states, drive.
@MainActor
@Suite(.bounded)
struct `A front end` {
    /// A screen with a text, typed in one turn, and read like a text field that writes what a state has.
    struct Screen: CustomTestStringConvertible {
        let testDescription: String
        let read: @MainActor (Container) async throws -> [(delivered: String, present: String)]

        init<Model: ViewModel>(
            _ name: String,
            _ make: @escaping @MainActor (Container) async -> Model,
            _ text: @escaping @MainActor (Model.State) -> String,
            _ type: @escaping @MainActor (Model, String) -> Void
        ) {
            testDescription = name
            read = { container in
                let model = await make(container)
                let seen = Monitor<[(delivered: String, present: String)]>([])
                let reader = Task {
                    for await state in model.states { seen.withLock { $0.append((text(state), text(model.state))) } }
                }
                try await waitUntil { seen.value.count == 1 }
                for part in ["v", "ve", "vel"] { type(model, part) }
                try await waitUntil { seen.value.last?.delivered == "vel" }
                // Back at the same text, nothing is delivered, unless something else has changed.
                for part in ["velv", "vel", "velvet"] { type(model, part) }
                try await waitUntil { seen.value.last?.delivered == "velvet" }
                reader.cancel()
                return seen.value
            }
        }
    }

    nonisolated static let screens = [
        Screen("followers", { await $0.followers() }, { $0.filter }, { $0.filter = $1 }),
        Screen("repositories", { await $0.repos() }, { $0.filter }, { $0.filter = $1 }),
        Screen("user name", { $0.followerSearchViewModel() }, { $0.query }, { $0.query = $1 }),
        Screen("user search", { $0.userSearchViewModel() }, { $0.query.text }, { $0.query.text = $1 }),
        Screen("repository search", { $0.repoSearchViewModel() }, { $0.query.text }, { $0.query.text = $1 }),
        Screen("app search", { $0.appSearchViewModel() }, { $0.query.text }, { $0.query.text = $1 }),
        Screen("characters", { $0.characterListViewModel() }, { $0.query.name }, { $0.query.name = $1 }),
        Screen("episodes", { $0.episodeListViewModel() }, { $0.query.name }, { $0.query.name = $1 }),
        Screen("locations", { $0.locationListViewModel() }, { $0.query.dimension }, { $0.query.dimension = $1 }),
        Screen("favorites", { $0.favoriteListViewModel() }, { $0.query.filter }, { $0.query.filter = $1 }),
    ]

    @Test(arguments: screens)
    func `a text field that follows the states keeps what was typed quickly`(_ screen: Screen) async throws {
        let seen = try await screen.read(.offline())
        #expect(seen.allSatisfy { $0.delivered == $0.present })
        #expect(!seen.contains { ["v", "ve", "velv"].contains($0.delivered) })
    }

    @Test(arguments: ["title", "empty", "field", "row"])
    func `an intent in a closure of a list is neither a crash nor lost`(closure: String) async {
        nonisolated(unsafe) weak var screen: PagedListViewModel<Int, Number>?
        let isDone = Monitor(false)
        let intend: @MainActor (String) -> Void = {
            guard $0 == closure, !isDone.value else { return }
            isDone.withLock { $0 = true }
            screen?.filter = "1"
        }
        let model = PagedListViewModel<Int, Number>(options: .plain) {
            intend("title")
            return "\($0)"
        } empty: { _ in
            intend("empty")
            return Message(kind: .empty, title: "", text: "")
        } filtering: { row in
            MainActor.assumeIsolated { intend("field") }
            return "\(row.id)"
        } page: { _, _ throws(BrowseError) in
            Page(items: [1, 2, 21])
        } row: {
            intend("row")
            return Number(id: $0)
        }
        screen = model
        await model.show(7)
        // Only a filter calls this closure.
        if closure == "field" { model.filter = "2" }
        #expect(model.state.filter == "1" && model.state.title == "7")
        #expect(model.state.content.rows.map(\.id) == [1, 21])
    }

    @Test func `a query that a search sets while it reads another is the one that counts`() async {
        nonisolated(unsafe) weak var search: SearchController<String, String, Number>?
        let store = StateStore(SearchState<String, Number>(""))
        let controller = SearchController<String, String, Number>(
            in: store,
            title: "",
            fields: [.text("q", "q", \.self)],
            options: .plain
        ) { query, _ in
            if query == "a" { search?.query = "b" }
            return query
        } empty: { _ in
            Message(kind: .empty, title: "", text: "")
        } page: { _, _ throws(BrowseError) in
            Page(items: [1])
        } row: {
            Number(id: $0)
        }
        search = controller
        controller.query = "a"
        #expect(controller.query == "b" && store.state.isWaiting)
        await controller.submit("a")
        #expect(controller.query == "b")
    }

    @Test func `a reader away from the main actor gets equal states once`() async {
        let model = Container.offline().followerSearchViewModel()
        let first = Monitor<String?>(nil)
        let reader = Task { @concurrent [states = model.states] in
            var seen: [String] = []
            for await state in states {
                seen.append(state.query)
                first.withLock { $0 = state.query }
                if state.query == "z" { break }
            }
            return seen
        }
        await first.wait { $0 == "" }
        for text in ["a", "", "b", "", "z"] { model.query = text }
        let seen = await reader.value
        #expect(seen.last == "z" && zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `an intent of an observer is newer than the change that it observes`() async {
        let model = await Container.offline().followers()
        let every = StateRecorder(of: model)
        let isFirst = Monitor(true)
        withObservationTracking {
            _ = model.state
        } onChange: {
            MainActor.assumeIsolated {
                guard isFirst.value else { return }
                isFirst.withLock { $0 = false }
                model.filter = "vel"
            }
        }
        model.filter = "han"
        #expect(model.filter == "vel" && every.states.last == model.state)
        #expect(model.state.content.rows.allSatisfy { $0.login.rawValue.localizedCaseInsensitiveContains("vel") })
        // The next state has the rows of the filter, too.
        let rows = model.state.content.rows
        await model.refresh()
        #expect(model.state.content.rows == rows && !rows.isEmpty)
    }

    @Test func `typing a filter changes only the rows that differ`() async {
        let model = await Container.offline().followers()
        let all = model.state.content.rows
        var filtered: [Rows<UserRow>] = []
        for text in ["v", "ve", "vel", "vell", "vellamxx", "vellamxxx", ""] {
            let before = model.state.content.rows
            model.filter = text
            let rows = model.state.content.rows
            let change = rows.change(since: before)
            #expect(change != .reset && (change == .none) == (rows == before), "\(text)")
            filtered.append(rows)
        }
        // Skipped states don't matter.
        #expect(all.change(since: filtered[2]) != .reset && filtered[2].change(since: all) != .reset)
        await model.show(.followers(of: GitHub.Login("mockworks")))
        #expect(model.state.content.rows.change(since: all) == .reset)
    }

    @Test func `typing a filter of favorites changes only the rows that differ`() async throws {
        let container = Container.offline()
        for (id, login) in ["ann", "bobby", "anniversary", "zo"].enumerated() {
            let user = GitHub.User(id: GitHub.User.ID(rawValue: Int64(id + 1)), login: GitHub.Login(login))
            _ = try await container.favoriteRepository().add(Favorite(user))
        }
        let model = container.favoriteListViewModel()
        await model.show()
        for (text, count) in [("a", 2), ("ann", 2), ("anniv", 1), ("annivx", 0)] {
            let before = model.state
            model.query.filter = text
            try await waitUntil { model.state.content.rows.count == count }
            let change = model.state.content.rows.change(since: before.content.rows)
            #expect(change != .reset, "\(text)")
            #expect(model.state.sections.change(since: before.sections, with: change) != .reset)
        }
    }
}
