import Foundation
import Synchronization

/// The erasures that a shared store hasn't done yet, also those of earlier processes.
///
/// Their file is written only if an erasure can't be done at once. Processes may share it; an erasure may be done twice. The
/// names of accounts reveal no secrets.
final class PendingErasures: Sendable {
    private struct State {
        /// The erasures, with a number that differs each time that one is inserted.
        var pending: [CacheErasure: Int]
        /// Erasures that the file may still contain.
        var done: Set<CacheErasure> = []
        var lastNumber = 0
    }

    private let file: StorageFile?
    private let state: Mutex<State>

    /// Reads the file; an unreadable one means that everything must be erased.
    ///
    /// - Parameter folder: The folder of the file; `nil` stores nothing.
    init(folder: URL?) {
        let file = folder.map { StorageFile(folder: $0, name: "pending-erasures.json") }
        self.file = file
        state = Mutex(State(pending: Dictionary(uniqueKeysWithValues: (file.map(Self.read) ?? []).map { ($0, 0) })))
    }

    var all: [CacheErasure: Int] { state.withLock { $0.pending } }

    func insert(_ erasure: CacheErasure) {
        state.withLock { state in
            state.lastNumber += 1
            state.pending[erasure] = state.lastNumber
            state.done.remove(erasure)
        }
    }

    /// Removes an erasure that is done, unless it was inserted again since ``all`` returned the number.
    func remove(_ erasure: CacheErasure, _ number: Int) {
        state.withLock { state in
            guard state.pending[erasure] == number else { return }
            state.pending[erasure] = nil
            if file != nil { state.done.insert(erasure) }
        }
    }

    /// Updates the file; erasures are only in memory if it can't be written.
    func save() async {
        guard let file, file.exists || !all.isEmpty else { return state.withLock { $0.done = [] } }
        try? await file.privatelyLocked(waitingAtMost: .seconds(1), on: ContinuousClock()) {
            var stored = Self.read(file)
            state.withLock { state in
                stored.subtract(state.done)
                stored.formUnion(state.pending.keys)
                state.done = []
            }
            try stored.isEmpty ? file.delete() : file.writePrivately(Self.data(stored))
        }
    }

    private static func read(_ file: StorageFile) -> Set<CacheErasure> {
        do {
            guard let data = try file.readPrivately(limit: limit) else { return [] }
            return try JSONDecoder().decode(Set<CacheErasure>.self, from: data)
        } catch {
            return [.everything]
        }
    }

    private static func data(_ erasures: Set<CacheErasure>) throws -> Data {
        let data = try JSONEncoder().encode(erasures)
        // Too many accounts for one file.
        return data.count <= limit ? data : try JSONEncoder().encode([CacheErasure.everything])
    }

    /// The maximum size of the file in bytes.
    private static var limit: Int { 1 << 20 }
}
