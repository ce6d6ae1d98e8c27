import BrowseDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Observation
import Synchronization
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `States of a view model` {
    private let names = (0..<1_000).map { "user-\($0)" }

    @Test func `are all delivered in order, the current one first, if every state is requested`() async {
        let model = FollowerSearchViewModel(texts: .english)
        model.query = "before"
        var states = model.states.every.makeAsyncIterator()
        for name in names { model.query = name }
        var seen: [String] = []
        while seen.last != names.last, let state = await states.next(isolation: MainActor.shared) {
            seen.append(state.query)
        }
        #expect(seen == ["before"] + names)
    }

    @Test func `are only the newest ones for a slow reader, by default`() async {
        let model = FollowerSearchViewModel(texts: .english)
        var states = model.states.makeAsyncIterator()
        for name in names { model.query = name }
        #expect(await states.next(isolation: MainActor.shared)?.query == names.last)
        model.query = "after"
        #expect(await states.next(isolation: MainActor.shared)?.query == "after")
    }

    @Test func `are delivered to every reader until it stops`() async {
        let model = FollowerSearchViewModel(texts: .english)
        var first = model.states.every.makeAsyncIterator()
        do {
            var second = model.states.every.makeAsyncIterator()
            model.query = "a"
            #expect(await second.next(isolation: MainActor.shared)?.query == "")
            #expect(await second.next(isolation: MainActor.shared)?.query == "a")
        }
        model.query = "b"
        var seen: [String] = []
        for _ in 0..<3 { await seen.append(first.next(isolation: MainActor.shared)?.query ?? "?") }
        #expect(seen == ["", "a", "b"])
    }

    @Test func `contain the amendments that amendments and parts make`() {
        let store = StateStore<[String]>([])
        store.addPart { [weak store] state in
            guard !state.contains("part") else { return }
            state.append("part")
            store?.update { $0.append("by part") }
        }
        store.update { state in
            state.append("update")
            store.update { state in
                state.append("outer")
                store.update { $0.append("inner") }
            }
        }
        #expect(store.state == ["update", "outer", "inner", "part", "by part"])
    }

    @Test func `contain updates inside of updates, also of parts that ran before, and of tasks that start at once`()
        async
    {
        let store = StateStore<[String: Int]>([:])
        var count = 0
        store.addPart { $0["seen"] = count }
        store.addPart { [weak store] state in
            guard count == 0 else { return }
            count = 1
            store?.update { $0["nested"] = 1 }
        }
        store.update { state in
            state["outer"] = 1
            store.update { $0["inner"] = 2 }
            // Newer than the minimum versions of Apple's platforms.
            #if os(Linux)
            Task.immediate {
                await store.load { state in
                    state["load"] = 3
                    return nil
                }
            }
            #endif
        }
        #expect(store.state == ["outer": 1, "inner": 2, "nested": 1, "seen": 1])
        #if os(Linux)
        try? await waitUntil { store.state["load"] == 3 }
        #expect(store.state["outer"] == 1)
        #endif
    }

    @Test func `end, with a report, although each change makes another one`() {
        let reports = Monitor<[String]>([])
        let store = StateStore(0)
        store.addPart { [weak store] _ in store?.update { $0 += 1 } }
        ScreenMisuse.$receiver.withValue(ScreenMisuse { text, _, _ in reports.withLock { $0.append(text) } }) {
            store.update { $0 = 1 }
        }
        #expect(store.state > 1 && reports.value.count == 1)
    }

    @Test func `don't repeat an equal state`() async {
        let model = FollowerSearchViewModel(texts: .english)
        var states = model.states.every.makeAsyncIterator()
        let recorder = StateRecorder(of: model)
        for _ in 0..<5 { model.query = "a" }
        model.query = "b"
        #expect(recorder.states.map(\.query) == ["", "a", "b"])
        // The recorder omits equal states, which the stream must not deliver.
        var delivered: [String?] = []
        for _ in 0..<3 { delivered.append(await states.next(isolation: MainActor.shared)?.query) }
        #expect(delivered == ["", "a", "b"])
        model.query = "a"
        #expect(recorder.states.map(\.query) == ["", "a", "b", "a"])
    }

    @Test func `end when the view model is released`() async {
        var model: FollowerSearchViewModel? = FollowerSearchViewModel(texts: .english)
        var states = model?.states.every.makeAsyncIterator()
        model = nil
        #expect(await states?.next(isolation: MainActor.shared)?.query == "")
        #expect(await states?.next(isolation: MainActor.shared) == nil)
    }

    @Test func `are observable`() {
        let model = FollowerSearchViewModel(texts: .english)
        let changed = Mutex(false)
        withObservationTracking {
            _ = model.state
        } onChange: {
            changed.withLock { $0 = true }
        }
        model.query = "a"
        #expect(changed.withLock { $0 })
    }
}
