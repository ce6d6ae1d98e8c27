import BrowseDomain
import Foundation
import Synchronization

/// Stores images in a private folder and evicts the least recently used ones.
///
/// It has no index, which a restart, another process, or a purge by the system could invalidate. A file's modification date is
/// the date of its last use.
///
/// Reads bypass the actor: files are replaced by renaming, so a reader never gets a partial one.
actor ImageFolder {
    /// Locked while images are evicted.
    private let lock: StorageFile
    private let limit: Int
    private let now: @Sendable () -> Date
    private let executor = QueueExecutor(label: "BrowseKit.ImageFolder")
    /// The latest date of a use; each use has a different one.
    private let lastUse = Mutex(Date.distantPast)
    /// The estimated size of the folder in bytes; `nil` until it's listed.
    private var bytes: Int?
    /// The number of bytes written since the folder was listed.
    private var newBytes = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: The folder, created with the first image.
    ///   - limit: The maximum size of all files in bytes.
    ///   - now: Returns the current date.
    init(_ folder: URL, limit: Int, now: @escaping @Sendable () -> Date) {
        lock = StorageFile(folder: folder, name: "images")
        self.limit = limit
        self.now = now
    }

    /// Returns a stored image and records its use; deletes a damaged file.
    ///
    /// Reads on the caller's thread, which is faster than switching threads.
    ///
    /// - Parameters:
    ///   - name: The file's name, without extension.
    ///   - limit: The maximum size of an image in bytes.
    nonisolated func image(named name: String, limit: Int) -> ImageFile? {
        let file = file(name)
        guard
            let data = try? file.readPrivately(
                limit: min(limit, .max - ImageFile.trailerLength) + ImageFile.trailerLength,
                useDate: nextUse()
            )
        else { return nil }
        guard let image = ImageFile(data) else {
            file.remove()
            return nil
        }
        return image
    }

    nonisolated func remove(named name: String) { file(name).remove() }

    /// Stores an image, and evicts others if the folder exceeds its limit.
    func store(_ image: ImageFile, named name: String) throws(StorageFailure) {
        let data = image.encoded
        guard data.count <= limit else { return }
        let known = if let bytes { bytes } else { try makeRoom() }
        // If the write fails, the folder may have been deleted, so the next write lists it again.
        bytes = nil
        let file = file(name)
        try file.writeUnsynced(data, via: self.file("\(name)-\(UInt64.random(in: 0...(.max)))", Self.newSuffix))
        file.setUseDate(nextUse())
        newBytes += data.count
        bytes = known.map { $0 + data.count }
        // Other processes write to the folder, too, so it's listed again after every eighth of the limit.
        if (bytes ?? 0) > limit || newBytes > limit / 8 { try makeRoom() }
    }

    /// Lists the folder and, if it exceeds the limit, evicts the least recently used images.
    ///
    /// Evicts down to 7/8 of the limit, so that not every store evicts.
    ///
    /// - Returns: The remaining bytes; `nil` if another process is evicting images.
    @discardableResult
    private func makeRoom() throws(StorageFailure) -> Int? {
        let remaining: Int?
        do {
            remaining = try lock.lockedUnlessBusy {
                if bytes == nil { lock.excludeFolderFromBackup() }
                return shrunk()
            }
        } catch {
            throw error as? StorageFailure ?? StorageFailure(reason: .other, file: lock.name)
        }
        bytes = remaining
        if remaining != nil { newBytes = 0 }
        return remaining
    }

    private func shrunk() -> Int {
        let path = lock.folder.path(percentEncoded: false)
        let latest = now().addingTimeInterval(60)
        var images: [(file: StorageFile, bytes: Int, used: Date)] = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let file = lock.neighbor(name)
            if name.hasSuffix(Self.newSuffix) { file.deleteIfAbandoned() }
            guard name.hasSuffix(Self.suffix), let (bytes, used) = file.use else { continue }
            // A date in the future comes from a wrong clock, and counts as the oldest.
            images.append((file, bytes, used > latest ? .distantPast : used))
        }
        var total = images.reduce(0) { $0.addingClamped($1.bytes) }
        guard total > limit else { return total }
        images.sort { $0.used < $1.used }
        for image in images where total > limit - limit / 8 {
            image.file.remove()
            total -= image.bytes
        }
        return total
    }

    private static var suffix: String { ".image" }
    private static var newSuffix: String { ".new" }

    private nonisolated func file(_ name: String, _ suffix: String = ImageFolder.suffix) -> StorageFile {
        lock.neighbor(name + suffix)
    }

    /// Returns the date for a use, which is later than those of earlier uses.
    private nonisolated func nextUse() -> Date {
        lastUse.withLock { last in
            let now = now()
            // Adds a microsecond, because `Date` can't represent steps below a quarter of one. A last date far ahead means that
            // the clock was set back.
            let next = last.addingTimeInterval(1e-6)
            last = next > now && next < now.addingTimeInterval(60) ? next : now
            return last
        }
    }
}
