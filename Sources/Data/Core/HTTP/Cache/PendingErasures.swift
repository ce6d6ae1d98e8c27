import Foundation
import Synchronization

/// The erasures that a shared store hasn't done yet, also those of earlier processes.
///
/// Their file is written only if an erasure can't be done at once. Processes may share it; an erasure may be done twice. The
/// names of accounts reveal no secrets.
final class PendingErasures: Sendable {
    private let file: StorageFile?
    private let erasures: Mutex<Set<CacheErasure>>

    /// Reads the file; an unreadable one means that everything must be erased.
    ///
    /// - Parameter folder: The folder of the file; `nil` stores nothing.
    init(folder: URL?) {
        let file = folder.map { StorageFile(folder: $0, name: "pending-erasures.json") }
        self.file = file
        erasures = Mutex(file.map(Self.read) ?? [])
    }

    var all: Set<CacheErasure> { erasures.withLock(\.self) }

    func insert(_ erasure: CacheErasure) { erasures.withLock { _ = $0.insert(erasure) } }

    /// Stores an erasure that couldn't be done; it's only in memory if the file can't be written.
    func store(_ erasure: CacheErasure) async { await update { $0.insert(erasure) } }

    /// Removes an erasure that is done.
    func remove(_ erasure: CacheErasure) async {
        if let file, file.exists { await update { $0.remove(erasure) } }
        erasures.withLock { _ = $0.remove(erasure) }
    }

    private func update(_ change: @Sendable (inout Set<CacheErasure>) -> Void) async {
        guard let file else { return }
        try? await file.privatelyLocked(waitingAtMost: .seconds(1), on: ContinuousClock()) {
            var stored = Self.read(file)
            change(&stored)
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
