import BrowseDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct StateRecorderTests {
    final class Counter: ViewModel {
        private let store = StateStore(0)
        var states: States<Int> { store.states }
        func set(_ value: Int) { store.update { $0 = value } }
    }

    @Test
    func `Every state is recorded once and in order, also while the model changes and the recorder is read`() async {
        let counter = Counter()
        let recorder = StateRecorder(of: counter)
        #expect(recorder.states == [0])
        let changes = Task {
            for value in 1...100 {
                counter.set(value)
                await Self.suspend()
            }
        }
        for _ in 0..<50 {
            #expect(recorder.states == Array(0..<recorder.states.count))
            await Self.suspend()
        }
        await changes.value
        #expect(recorder.states == Array(0...100))
        counter.set(100)
        counter.set(7)
        #expect(recorder.states.suffix(2) == [100, 7])
    }

    /// Leaves the main actor, so that its other tasks run.
    @concurrent
    nonisolated private static func suspend() async {}

    @Test func `A recorder doesn't retain the model`() {
        var counter: Counter? = Counter()
        let isReleased = { [weak counter] in counter == nil }
        let recorder = counter.map { StateRecorder(of: $0) }
        counter?.set(1)
        counter = nil
        #expect(isReleased())
        #expect(recorder?.states == [0, 1])
    }

    @Test func `A test waits for a state by its condition`() async throws {
        let counter = Counter()
        let recorder = StateRecorder(of: counter)
        async let state = recorder.wait { $0 == 3 }
        for value in 1...3 { counter.set(value) }
        #expect(try await state == 3)
    }
}
