import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import Foundation
import Observation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about front ends` {
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
                    for await state in model.states {
                        seen.withLock { $0.append((text(state), text(model.state))) }
                    }
                }
                try await waitUntil { seen.value.count == 1 }
                for part in ["v", "ve", "vel"] { type(model, part) }
                try await waitUntil { seen.value.last?.delivered == "vel" }
                // Back at the same text, nothing is delivered, unless something else has changed.
                type(model, "velv")
                type(model, "vel")
                type(model, "velvet")
                try await waitUntil { seen.value.last?.delivered == "velvet" }
                reader.cancel()
                return seen.value
            }
        }

        init<Model: SearchViewModel>(
            _ name: String,
            _ make: @escaping @MainActor (Container) -> Model,
            _ path: any WritableKeyPath<Model.State.Query, String> & Sendable
        ) {
            self.init(name, make, { $0.query[keyPath: path] }) { $0.query[keyPath: path] = $1 }
        }
    }

    nonisolated static let screens = [
        Screen("followers") { container in
            let model = container.followerListViewModel()
            await model.show(.followers(of: GitHub.Login("octocat")))
            return model
        } _: {
            $0.filter
        } _: {
            $0.filter = $1
        },
        Screen("repositories") { container in
            let model = container.repoListViewModel()
            await model.show(.publicRepos(of: GitHub.Login("octocat")))
            return model
        } _: {
            $0.filter
        } _: {
            $0.filter = $1
        },
        Screen("user name") {
            $0.followerSearchViewModel()
        } _: {
            $0.query
        } _: {
            $0.query = $1
        },
        Screen("user search", { $0.userSearchViewModel() }, \.text),
        Screen("repository search", { $0.repoSearchViewModel() }, \.text),
        Screen("app search", { $0.appSearchViewModel() }, \.text),
        Screen("characters", { $0.characterListViewModel() }, \.name),
        Screen("episodes", { $0.episodeListViewModel() }, \.name),
        Screen("locations", { $0.locationListViewModel() }, \.dimension),
        Screen("favorites", { $0.favoriteListViewModel() }, \.filter),
    ]

    @Test(arguments: screens)
    func `a text field that follows the states keeps what was typed quickly`(_ screen: Screen) async throws {
        let seen = try await screen.read(.offline())
        #expect(seen.allSatisfy { $0.delivered == $0.present })
        #expect(!seen.contains { ["v", "ve", "velv"].contains($0.delivered) })
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

    // MARK: Intents in closures of the front end

    struct Number: ListRow { let id: Int }

    enum Closure: CaseIterable { case title, empty, field, row }

    @Test(arguments: Closure.allCases)
    func `an intent in a closure of a list is neither a crash nor lost`(_ closure: Closure) async {
        nonisolated(unsafe) weak var screen: PagedListViewModel<Int, Number>?
        let isDone = Monitor(false)
        let intend: @MainActor (Closure) -> Void = {
            guard $0 == closure, !isDone.value else { return }
            isDone.withLock { $0 = true }
            screen?.filter = "1"
        }
        let model = PagedListViewModel<Int, Number>(
            options: ScreenOptions(texts: Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt))
        ) {
            intend(.title)
            return "\($0)"
        } empty: { _ in
            intend(.empty)
            return Message(kind: .empty, title: "", text: "")
        } filtering: { row in
            MainActor.assumeIsolated { intend(.field) }
            return "\(row.id)"
        } page: { _, _ throws(BrowseError) in
            Page(items: [1, 2, 21])
        } row: {
            intend(.row)
            return Number(id: $0)
        }
        screen = model
        await model.show(7)
        // Only a filter calls this closure.
        if closure == .field { model.filter = "2" }
        #expect(model.state.filter == "1")
        #expect(model.state.content.rows.map(\.id) == [1, 21])
        #expect(model.state.title == "7")
    }

    @Test func `a query that a search sets while it reads another is the one that counts`() async {
        nonisolated(unsafe) weak var search: SearchController<String, String, Number>?
        let store = StateStore(SearchState<String, Number>(""))
        let options = ScreenOptions(texts: Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt))
        let controller = SearchController<String, String, Number>(
            in: store,
            title: "",
            fields: [.text("q", "q", \.self)],
            options: options
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

    @Test func `an intent of an observer is newer than the change that it observes`() async {
        let model = Container.offline().followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
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

    // MARK: Lists that are drawn from changes

    @Test func `typing a filter changes only the rows that differ`() async throws {
        let model = Container.offline().followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        let all = model.state.content.rows
        var texts: [(String, Rows<UserRow>)] = []
        for text in ["v", "ve", "vel", "vell", "vellamxx", "vellamxxx", ""] {
            let before = model.state.content.rows
            model.filter = text
            let rows = model.state.content.rows
            let change = rows.change(since: before)
            #expect(change != .reset && (change == .none) == (rows == before), "\(text)")
            texts.append((text, rows))
        }
        // Skipped states don't matter.
        #expect(all.change(since: texts[2].1) != .reset && texts[2].1.change(since: all) != .reset)
        await model.show(.followers(of: GitHub.Login("mockworks")))
        #expect(model.state.content.rows.change(since: all) == .reset)
    }

    @Test func `typing a filter of favorites changes only the rows that differ`() async throws {
        let container = Container.offline()
        for login in ["ann", "bobby", "anniversary", "zo"] {
            let user = GitHub.User(id: .init(rawValue: Int64(login.utf8.count * 10)), login: GitHub.Login(login))
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

    // MARK: Images in cells

    @Test(arguments: [Scenario.offline, .serverError])
    func `an image that failed is loaded when its row is shown again after a refresh`(_ scenario: Scenario) async throws
    {
        let services = OfflineServices()
        let container = Container.offline(services)
        let list = container.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        let request = ImageRequest(try #require(list.state.content.rows.first?.avatar), side: 36)
        services.images.scenario = scenario
        let image = container.remoteImageViewModel()
        image.request = request
        try await waitUntil { if case .failed = image.state { true } else { false } }
        services.images.scenario = .normal
        await list.refresh()
        image.request = request
        if scenario == .offline {
            try await waitUntil { if case .loaded = image.state { true } else { false } }
        } else {
            #expect(image.state == .loading)
        }
    }
}
