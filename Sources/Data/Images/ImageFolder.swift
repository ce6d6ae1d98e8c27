import BrowseDomain
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Pictures in a folder, of its owner's alone; those that were not used for longest go when all have too many bytes.
///
/// What is there is told by the folder itself, not by a list beside it, so that a restart, another process and a system that
/// empties caches need no care. When a picture was used last is its file's date.
///
/// Reading is no business of the actor's: a picture is written by renaming, so a reader has it whole or not at all.
actor ImageFolder {
    /// Locked by whoever makes room.
    private let lock: StorageFile
    private let limit: Int
    private let now: @Sendable () -> Date
    private let executor = QueueExecutor(label: "BrowseKit.ImageFolder")
    /// The time that the last used file was given, so that no two have the same.
    private let lastUse = Mutex(Date.distantPast)
    /// How many bytes the folder has, as far as is known; `nil` until it was looked at.
    private var bytes: Int?
    /// How many of them were written since it was looked at.
    private var newBytes = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: Made when the first picture is stored.
    ///   - limit: The most bytes of all files.
    ///   - now: The current time.
    init(_ folder: URL, limit: Int, now: @escaping @Sendable () -> Date) {
        lock = StorageFile(folder: folder, name: "images")
        self.limit = limit
        self.now = now
    }

    /// The picture of a name, which counts as used now; a file that is damaged is deleted.
    ///
    /// It reads where it is called: that takes less time than going elsewhere and back.
    ///
    /// - Parameter limit: The most bytes of a picture.
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

    /// Stores a picture, and makes room when there are too many.
    func store(_ image: ImageFile, named name: String) throws(StorageFailure) {
        let data = image.encoded
        guard data.count <= limit else { return }
        let known = if let bytes { bytes } else { try makeRoom() }
        // Looked at again after a failure: the folder may have been deleted.
        bytes = nil
        let file = file(name)
        try file.writeUnsynced(data, via: self.file("\(name)-\(UInt64.random(in: 0...(.max)))", Self.newSuffix))
        file.setUseDate(nextUse())
        newBytes += data.count
        bytes = known.map { $0 + data.count }
        // Now and then also to see what other processes wrote.
        if (bytes ?? 0) > limit || newBytes > limit / 8 { try makeRoom() }
    }

    /// Looks what is there; when it is too much, deletes what was not used for longest, down to seven eighths of the limit so
    /// that not each new picture has to look again.
    ///
    /// - Returns: How many bytes are left; `nil` when another process makes room just now, which is not waited for.
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
        let latest = (now().timeIntervalSince1970 + 60).clampedToInt
        var images: [(file: StorageFile, bytes: Int, used: timespec)] = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let file = lock.neighbor(name)
            if name.hasSuffix(Self.newSuffix) { file.deleteIfAbandoned() }
            guard name.hasSuffix(Self.suffix), let (bytes, used) = file.use else { continue }
            // A time to come is of a clock that was wrong, and tells nothing.
            images.append((file, bytes, used.tv_sec > latest ? timespec() : used))
        }
        var total = images.reduce(0) { $0 + $1.bytes }
        guard total > limit else { return total }
        images.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
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

    /// The date of a use, later than those of all uses before.
    private nonisolated func nextUse() -> Date {
        lastUse.withLock { last in
            let now = now()
            // `Date` can't represent steps below a quarter of a microsecond. A date far ahead comes from a clock that was
            // set back since.
            let next = last.addingTimeInterval(1e-6)
            last = next > now && next < now.addingTimeInterval(60) ? next : now
            return last
        }
    }
}

extension StorageFile {
    /// How large the file is, and when it was used last; `nil` when it is not there.
    fileprivate var use: (bytes: Int, date: timespec)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return (Int(clampingCount: Int64(status.st_size)), status.st_mtimespec)
        #else
        return (Int(clampingCount: Int64(status.st_size)), status.st_mtim)
        #endif
    }
}
