import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowsePresentation

extension FavoriteTracker {
    /// Sets the opposite of the mark that is shown; returns the error.
    fileprivate func toggle(_ favorite: Favorite, shownAs shown: Bool) async -> BrowseError? {
        await set(favorite, to: !shown, shownAs: shown)
    }
}

@MainActor @Suite(.bounded)
struct `Favorite marks` {
    private let mona = Favorite.user(.sample(1))

    /// Marks in a repository whose changes a test reports.
    @MainActor
    private struct Reported {
        let marks: FavoriteTracker
        private let feed: AsyncStream<FavoriteChange>.Continuation
        private let received = Monitor<FavoriteChange?>(nil)

        init(_ repository: InMemoryFavoriteRepository = InMemoryFavoriteRepository()) async {
            let (changes, feed) = AsyncStream.makeStream(of: FavoriteChange.self)
            var hooked = repository
            hooked.onChanges = { changes }
            (marks, self.feed) = (FavoriteTracker(repository: hooked), feed)
            marks.didStore = { [received] change in received.withLock { $0 = change } }
            await marks.follow()?.wait()
        }

        func send(_ change: FavoriteChange) async throws {
            feed.yield(change)
            try await waitUntil { received.value == change }
        }
    }

    @Test func `stay until the repository reports the change, even after older reports`() async throws {
        let reported = await Reported()
        let marks = reported.marks
        #expect(await marks.toggle(mona, shownAs: false) == nil)
        #expect(marks.contains(mona.id))
        // Another screen removed it before it was added here.
        try await reported.send(.removed(mona.id, sequenceNumber: 1))
        #expect(marks.contains(mona.id))
        try await reported.send(.added(mona))
        #expect(marks.contains(mona.id))
        // From now on others' changes show.
        try await reported.send(.removed(mona.id, sequenceNumber: 1))
        #expect(!marks.contains(mona.id))
    }

    @Test func `follow the repository when it replaces all favorites instead of reporting a change`() async throws {
        let reported = await Reported()
        let marks = reported.marks
        #expect(await marks.toggle(mona, shownAs: false) == nil)
        #expect(marks.contains(mona.id))
        try await reported.send(.replaced([]))
        #expect(!marks.contains(mona.id))
    }

    /// eddyizm/tempus#1095, generalaction/emdash#3189
    @Test(arguments: [true, false])
    func `follow other screens after all favorites were replaced during a change`(isAddition: Bool) async throws {
        let held = ControlledResponses<InMemoryFavoriteRepository.Call, Bool>()
        var hooked = InMemoryFavoriteRepository(isAddition ? [] : [mona])
        hooked.onCall = { call throws(BrowseError) in
            if call != .ids { _ = try await held.response(to: call) }
            return nil
        }
        let reported = await Reported(hooked)
        let marks = reported.marks
        let tap = Task { await marks.toggle(mona, shownAs: !isAddition) }
        await held.waitForRequests(1)
        // Another process has added a favorite before; the file reports both before the change returns.
        let other = Favorite.user(.sample(2))
        let (addition, removal) = (FavoriteChange.added(mona), FavoriteChange.removed(mona.id, sequenceNumber: 1))
        try await reported.send(isAddition ? addition : removal)
        try await reported.send(.replaced(isAddition ? [mona.id, other.id] : [other.id]))
        held.answer(0, with: .success(true))
        #expect(await tap.value == nil)
        #expect(marks.contains(mona.id) == isAddition)
        // Another screen changes it back.
        try await reported.send(isAddition ? removal : addition)
        #expect(marks.contains(mona.id) != isAddition)
    }

    @Test func `stay if another process made the same change first`() async throws {
        var hooked = InMemoryFavoriteRepository([mona])
        hooked.onCall = { call in call == .ids ? Page(items: []) : nil }
        let reported = await Reported(hooked)
        #expect(await reported.marks.toggle(mona, shownAs: false) == nil)
        #expect(reported.marks.contains(mona.id))
        try await reported.send(.added(mona))
        try await reported.send(.removed(mona.id, sequenceNumber: 1))
        #expect(!reported.marks.contains(mona.id))
    }

    @Test func `can be changed even if the storage can't be read`() async throws {
        let error = BrowseError.storageFailed(StorageFailure(reason: .busy, file: "x"))
        let store = InMemoryFavoriteRepository()
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            if call == .ids { throw error }
            return nil
        }
        let marks = FavoriteTracker(repository: hooked)
        await marks.follow()?.wait()
        #expect(await marks.toggle(mona, shownAs: false) == nil)
        #expect(marks.contains(mona.id))
        #expect(await marks.toggle(mona, shownAs: true) == nil)
        #expect(!marks.contains(mona.id))
        #expect(try await store.ids().isEmpty)
    }

    @Test func `toggle the shown state, not the state that another screen has stored since`() async throws {
        let store = InMemoryFavoriteRepository()
        let marks = FavoriteTracker(repository: store)
        await marks.follow()?.wait()
        _ = try await store.add(mona)
        #expect(await marks.toggle(mona, shownAs: false) == nil)
        #expect(try await store.ids() == [mona.id])
    }

    @Test func `are set without a write if they are shown so already`() async {
        var hooked = InMemoryFavoriteRepository([mona])
        hooked.onCall = { call throws(BrowseError) in
            if call == .ids { return nil }
            throw .cancelled
        }
        let marks = FavoriteTracker(repository: hooked)
        await marks.follow()?.wait()
        let other = Favorite.user(.sample(2))
        #expect(await marks.set(mona, to: true, shownAs: true) == nil)
        #expect(await marks.set(other, to: false, shownAs: false) == nil)
    }

    @Test(arguments: [true, false])
    func `show a change that is stored while all are read`(isStored: Bool) async throws {
        let held = ControlledResponses<InMemoryFavoriteRepository.Call, Page<Favorite>>()
        let store = InMemoryFavoriteRepository(isStored ? [mona] : [])
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in call == .ids ? try await held.response(to: call) : nil }
        let marks = FavoriteTracker(repository: hooked)
        let load = marks.follow()
        await held.waitForRequests(1)
        #expect(await marks.set(mona, to: true, shownAs: false) == nil)
        // The favorites from before the change.
        held.answer(0, with: .success(Page(items: isStored ? [mona] : [])))
        await load?.wait()
        #expect(marks.contains(mona.id))
        let removed = Monitor(false)
        marks.didStore = { change in if case .removed = change { removed.withLock { $0 = true } } }
        _ = try await store.remove(mona.id)
        try await waitUntil { removed.value }
        #expect(!marks.contains(mona.id))
    }

    @Test func `are set as wanted even before the stored ones are read`() async throws {
        let store = InMemoryFavoriteRepository([mona])
        let marks = FavoriteTracker(repository: store)
        #expect(await marks.set(mona, to: false, shownAs: false) == nil)
        #expect(try await store.ids().isEmpty)
    }

    @Test func `are set once by two callers, who both learn of a failure`() async throws {
        let held = ControlledResponses<Favorite, Bool>()
        var hooked = InMemoryFavoriteRepository()
        hooked.onCall = { call throws(BrowseError) in
            if case .add(let favorite) = call { _ = try await held.response(to: favorite) }
            return nil
        }
        let marks = FavoriteTracker(repository: hooked)
        await marks.follow()?.wait()
        let first = Task { await marks.set(mona, to: true, shownAs: false) }
        await held.waitForRequests(1)
        let second = Task { await marks.set(mona, to: true, shownAs: true) }
        let error = BrowseError.storageFailed(StorageFailure(reason: .full, file: "x"))
        held.answer(0, with: .failure(error))
        #expect(await [first.value, second.value] == [error, error])
        #expect(held.requests.count == 1)
        #expect(!marks.contains(mona.id))
    }

    @Test func `are stored even if the view model is released`() async throws {
        let held = ControlledResponses<Favorite, Bool>()
        let store = InMemoryFavoriteRepository()
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            if case .add(let favorite) = call { _ = try await held.response(to: favorite) }
            return nil
        }
        let marks = FavoriteTracker(repository: hooked)
        let tap = Task { await marks.toggle(mona, shownAs: false) }
        await held.waitForRequests(1)
        tap.cancel()
        held.answer(0, with: .success(true))
        _ = await tap.value
        #expect(try await store.ids() == [mona.id])
    }

    /// Rapid taps on several screens, with storage that sometimes fails. In the end every screen shows the stored favorites,
    /// which are those of the last taps that succeeded.
    @Test(arguments: 0..<60)
    func `agree on all screens after any sequence of taps`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = InMemoryFavoriteRepository([.user(.sample(0)), .user(.sample(1))])
        let failures = SeededFailures(seed: seed)
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            if call == .ids { return nil }
            await Task.yield()  // Random interleaving: any number of turns is correct.
            try failures.next()
            return nil
        }
        let screens = (0..<3).map { _ in FavoriteTracker(repository: hooked) }
        for screen in screens { await screen.follow()?.wait() }
        var taps: [Task<Void, Never>] = []
        for _ in 0..<60 {
            let favorite = Favorite.user(.sample(Int.random(in: 0..<4, using: &random)))
            let screen = screens[Int.random(in: 0..<3, using: &random)]
            taps.append(Task { _ = await screen.toggle(favorite, shownAs: screen.contains(favorite.id)) })
            // Random interleaving: any number of turns is correct.
            for _ in 0..<Int.random(in: 0..<5, using: &random) { await Task.yield() }
        }
        for tap in taps { await tap.value }
        // Changes arrive in order, so a screen that has the last one has them all.
        let last = Favorite.user(.sample(99))
        let received = Monitor(0)
        for screen in screens {
            screen.didStore = { change in
                if change == .added(last) { received.withLock { $0 += 1 } }
            }
        }
        _ = try await store.add(last)
        try await waitUntil { received.value == screens.count }
        let stored = try await store.ids()
        for screen in screens {
            for number in 0..<4 {
                let id = Favorite.ID(kind: .user, key: String(number))
                #expect(screen.contains(id) == stored.contains(id), "\(number)")
            }
        }
    }

    @Test func `are stored in the order of rapid taps, so the last one wins`() async throws {
        let store = InMemoryFavoriteRepository()
        var hooked = store
        let held = ControlledResponses<InMemoryFavoriteRepository.Call, Page<Favorite>?>()
        hooked.onCall = { call throws(BrowseError) in
            call == .ids ? nil : try await held.response(to: call)
        }
        let marks = FavoriteTracker(repository: hooked)
        await marks.follow()?.wait()
        let changeCount = Monitor(0)
        marks.addObserver { _ in changeCount.withLock { $0 += 1 } }
        var taps: [Task<BrowseError?, Never>] = []
        for number in 1...5 {
            taps.append(Task { await marks.toggle(mona, shownAs: marks.contains(mona.id)) })
            // Every write waits for its response, so each change is a tap.
            try await waitUntil { changeCount.value == number }
            #expect(marks.contains(mona.id) == (number % 2 == 1))
        }
        await held.waitForRequests(1)
        #expect(marks.contains(mona.id))
        held.answer(0, with: .success(nil))
        for tap in taps { #expect(await tap.value == nil) }
        // Each tap canceled the opposite write, which hadn't begun.
        #expect(held.requests == [.add(mona)])
        #expect(try await store.ids() == [mona.id])
        #expect(marks.contains(mona.id))
    }
}

/// Fails now and then, the same way for the same seed.
private final class SeededFailures: Sendable {
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

    func next() throws(BrowseError) {
        let fails = random.withLock { Int.random(in: 0..<4, using: &$0) == 0 }
        if fails { throw .storageFailed(StorageFailure(reason: .busy, file: "x")) }
    }
}
