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

/// A cache of private files, which are evicted by last use, and erased by owner.
///
/// It has no index and no locks, which a restart, another process, or a purge by the system could invalidate: a file is written
/// beside its destination and renamed, its modification date is the date of its last use, and a damaged or foreign file is a
/// miss. Each owner, such as an account, has a folder. Names are digests, and files contain their keys. If the disk is full or
/// can't be written, nothing is stored.
///
/// Its methods block for as long as the file system needs; don't call them on the main actor.
final class BlobFolder: Sendable {
    private struct State {
        /// The folders of the latest owners, while they are in use.
        var groups = LRUCache<String, WeakReference>(limit: 32)
        /// The number of bytes that can be written before the folder is listed.
        var room = 0
        /// The latest date of a use; each use has a different one.
        var lastUse = Date.distantPast
        /// Whether leftovers of earlier processes were deleted.
        var isPrepared = false
        /// Names of folders and files that couldn't be deleted, such as on a read-only disk; they aren't read.
        var undeleted: Set<String> = []
    }

    private struct WeakReference {
        weak var group: BlobGroup?
    }

    let byteLimit: Int
    private let root: StorageFile
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: The folder, created with the first owner's.
    ///   - byteLimit: The maximum size of all files in bytes, which each further process may exceed by an eighth; 0 or less stores
    ///     nothing.
    ///   - now: Returns the current date.
    init(_ folder: URL, byteLimit: Int, now: @escaping @Sendable () -> Date) {
        root = StorageFile(folder: folder, name: "")
        self.byteLimit = byteLimit
        self.now = now
    }

    /// Returns the folder of an owner; `nil` if it doesn't exist or can't be used.
    ///
    /// - Parameter creates: Whether to create a missing folder.
    func group(of owner: String, creates: Bool) -> BlobGroup? {
        prepare()
        let name = Self.name(of: owner)
        guard byteLimit > 0, !isUndeleted(name) || remove(name) else { return nil }
        if let open = state.withLock({ $0.groups.value(for: name)?.group }), open.isCurrent { return open }
        guard let group = BlobGroup(self, name: name, path: root.path + name, creates: creates ? root : nil) else {
            return nil
        }
        state.withLock { $0.groups.insert(WeakReference(group: group), for: name, cost: 1) }
        return group
    }

    /// Erases the blobs of an owner, or of all.
    ///
    /// A folder is renamed before it's deleted: from then on, nothing finds its files, even if the process ends, nor those that
    /// a ``BlobGroup`` of any process writes to it. If it can be neither renamed nor emptied, this process doesn't use it
    /// anymore.
    func erase(_ owner: String? = nil) {
        prepare()
        for name in owner.map({ [Self.name(of: $0)] }) ?? names("").filter(Self.isDigest) { _ = remove(name) }
    }

    /// Removes the folder of an owner; returns `false` if it's still there.
    private func remove(_ name: String) -> Bool {
        let erased = Self.erasedPrefix + Self.randomName
        var isRemoved = true
        if rename(root.path + name, root.path + erased) == 0 {
            // If this fails, the next process deletes it.
            _ = deleteFolder(erased)
        } else if errno != ENOENT {
            isRemoved = deleteFolder(name)
        }
        note(name, isDeleted: isRemoved)
        return isRemoved
    }

    /// Deletes the leftovers of earlier processes, once.
    private func prepare() {
        let isFirst = state.withLock { state in
            defer { state.isPrepared = true }
            return !state.isPrepared
        }
        guard isFirst else { return }
        for name in names("") where name.hasPrefix(Self.erasedPrefix) { _ = deleteFolder(name) }
    }

    /// Deletes a folder and the files in it; returns whether it's gone.
    private func deleteFolder(_ name: String) -> Bool {
        // Again if another process has written meanwhile.
        for _ in 0..<10 {
            for file in names(name) { unlink("\(root.path)\(name)/\(file)") }
            // Something else may have the name, such as a link, which is deleted without what it leads to.
            if rmdir(root.path + name) == 0 || errno == ENOENT || unlink(root.path + name) == 0 { return true }
        }
        return false
    }

    /// The names in a folder; empty if it isn't one, or is a link to one.
    private func names(_ folder: String) -> [String] {
        guard folder.isEmpty || root.neighbor(folder).isFolder else { return [] }
        return (try? FileManager.default.contentsOfDirectory(atPath: root.path + folder)) ?? []
    }
}

/// Use and eviction.
extension BlobFolder {
    /// Returns the date for a use, which is later than those of earlier uses.
    func nextUse() -> Date {
        let now = now()
        return state.withLock { state in
            // Adds a microsecond, because `Date` can't represent steps below a quarter of one. A last date far ahead means that
            // the clock was set back.
            let next = state.lastUse.addingTimeInterval(1e-6)
            state.lastUse = next > now && next < now.addingTimeInterval(60) ? next : now
            return state.lastUse
        }
    }

    /// Counts a file that was written, and evicts others if necessary.
    ///
    /// Other processes write, too, so the folder is listed again after every eighth of the limit.
    func noteWrite(of count: Int) {
        let isFull = state.withLock { state in
            state.room -= count
            guard state.room < 0 else { return false }
            state.room = byteLimit / 8
            return true
        }
        guard isFull else { return }
        let room = byteLimit - evict()
        state.withLock { $0.room = room.clamped(to: 0...byteLimit / 8) }
    }

    /// Deletes the least recently used files if all together exceed the limit.
    ///
    /// It deletes down to 7/8 of the limit, so that not every write evicts.
    ///
    /// - Returns: The size of the remaining files in bytes.
    private func evict() -> Int {
        let latest = now().addingTimeInterval(60)
        var files: [(file: StorageFile, bytes: Int, used: Date)] = []
        for group in names("") where Self.isDigest(group) {
            let names = names(group)
            for name in names {
                let file = root.neighbor("\(group)/\(name)")
                guard let (bytes, used) = file.use else { continue }
                if Self.isDigest(name) {
                    // A date in the future comes from a wrong clock, and counts as the oldest.
                    files.append((file, bytes, used > latest ? .distantPast : used))
                } else if name.hasPrefix(Self.newPrefix), Self.isAbandoned(used) {
                    unlink(file.path)
                }
            }
            if names.isEmpty, let changed = root.neighbor(group).use?.date, Self.isAbandoned(changed) {
                rmdir(root.path + group)
            }
        }
        var total = files.reduce(0) { $0.addingClamped($1.bytes) }
        guard total > byteLimit else { return total }
        files.sort { $0.used < $1.used }
        for (file, bytes, _) in files where total > byteLimit - byteLimit / 8 {
            unlink(file.path)
            total -= bytes
        }
        return total
    }

    /// Whether a process that began an hour before the system's time has ended.
    private static func isAbandoned(_ date: Date) -> Bool { abs(date.timeIntervalSinceNow) > 3600 }

    /// Records whether a folder, or a file in one, was deleted.
    func note(_ name: @autoclosure () -> String, isDeleted: Bool) {
        guard !isDeleted || !state.withLock(\.undeleted.isEmpty) else { return }
        let name = name()
        state.withLock { state in
            if isDeleted { state.undeleted.remove(name) } else { state.undeleted.insert(name) }
        }
    }

    /// Whether a folder or a file couldn't be deleted.
    func isUndeleted(_ name: @autoclosure () -> String) -> Bool {
        let undeleted = state.withLock(\.undeleted)
        return !undeleted.isEmpty && undeleted.contains(name())
    }

    // MARK: Names

    static var newPrefix: String { "new-" }
    private static var erasedPrefix: String { "erased-" }
    static var randomName: String { String(UInt64.random(in: 0...(.max)), radix: 16) }

    /// The name of a key's file or an owner's folder, a digest of its UTF-8 bytes in hexadecimal.
    ///
    /// Different keys can have the same, so files contain their keys.
    static func name(of key: String) -> String {
        var key = key
        var digest = key.withUTF8 { Blob.checksum(of: UnsafeRawBufferPointer($0), 0) }
        return String(unsafeUninitializedCapacity: 16) { digits in
            for place in stride(from: 14, through: 0, by: -2) {
                (digits[place], digits[place + 1]) = UInt8(truncatingIfNeeded: digest).hexDigits
                digest >>= 8
            }
            return 16
        }
    }

    private static func isDigest(_ name: String) -> Bool {
        name.utf8.count == 16 && UInt64(name, radix: 16) != nil
    }
}
