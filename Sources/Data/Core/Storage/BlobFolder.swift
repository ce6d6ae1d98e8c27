import BrowseDomain
import Foundation

/// A cache of private files, which are evicted by last use, and erased by owner.
///
/// It has no index and no locks, which a restart, another process, or a purge by the system could
/// invalidate: a file is written beside its destination and renamed, its modification date is the
/// date of its last use, and a damaged or foreign file is a miss. Each owner, such as an account,
/// has a folder. Names are digests, and files contain their keys. If the disk is full or can't be
/// written, nothing is stored.
///
/// Its methods block its queue for as long as the file system needs. Call them in
/// ``run(within:storing:_:)``, which bounds the wait.
actor BlobFolder {
    nonisolated let byteLimit: Int
    private let root: StorageFile
    private let now: @Sendable () -> Date
    /// The folders of the latest owners.
    private var groups = LRUCache<String, BlobGroup>(limit: 8)
    /// The number of bytes that can be written before the folder is listed.
    private var room = 0
    nonisolated let queue: QueueExecutor

    /// An executor with its own dispatch queue, because disks can hang.
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - byteLimit: The maximum size of all files in bytes, which each further process may exceed
    ///     by an eighth; 0 or less stores nothing.
    ///   - clock: The clock that measures waits for the file system.
    init(_ folder: URL, byteLimit: Int, now: @escaping @Sendable () -> Date, clock: any Clock<Duration>) {
        root = StorageFile(folder: folder, name: "")
        queue = QueueExecutor("cache", clock: clock)
        self.byteLimit = byteLimit
        self.now = now
    }

    /// Runs work with the folder on its queue, as
    /// ``QueueExecutor/run(within:isCancellable:storing:_:)`` does.
    @discardableResult
    nonisolated func run<Value: Sendable>(
        within limit: Duration? = nil,
        storing bytes: Int? = nil,
        _ work: @escaping @Sendable (isolated BlobFolder) -> Value?
    ) async -> Value? {
        await queue.run(within: limit, storing: bytes) { [self] in assumeIsolated(work) } ?? nil
    }

    /// Returns the folder of an owner, a new one if `creates`; `nil` if it's missing or can't be
    /// used.
    func group(of owner: String, creates: Bool) -> BlobGroup? {
        let name = Self.name(of: owner)
        guard byteLimit > 0 else { return nil }
        if let open = groups.value(for: name), open.isCurrent { return open }
        groups.remove(name)
        guard let group = BlobGroup(queue, path: root.path + name, creates: creates ? root : nil) else { return nil }
        groups.insert(group, for: name, cost: 1)
        return group
    }

    /// Erases the blobs of an owner, or of all.
    ///
    /// A folder is renamed before it's deleted: from then on, nothing finds its files, even if the
    /// process ends, nor those that a ``BlobGroup`` of any process writes to it. On a read-only
    /// disk, they stay.
    func erase(_ owner: String? = nil) {
        for name in owner.map({ [Self.name(of: $0)] }) ?? names("").filter(Self.isDigest) {
            let erased = Self.erasedPrefix + Self.randomName
            let isRenamed = rename(root.path + name, root.path + erased) == 0
            groups.remove(name)
            // If this fails, the next eviction deletes it.
            deleteFolder(isRenamed ? erased : name)
        }
    }

    /// Deletes a folder and the files in it, if possible.
    private func deleteFolder(_ name: String) {
        // Again if another process has written meanwhile.
        for _ in 0..<10 {
            for file in names(name) { unlink("\(root.path)\(name)/\(file)") }
            // Something else may have the name, such as a link, which is deleted without what it
            // leads to.
            if rmdir(root.path + name) == 0 || errno == ENOENT || unlink(root.path + name) == 0 { return }
        }
    }

    /// The names in a folder; empty if it isn't one, or is a link to one.
    private func names(_ folder: String) -> [String] {
        guard folder.isEmpty || root.neighbor(folder).isFolder else { return [] }
        return (try? FileManager.default.contentsOfDirectory(atPath: root.path + folder)) ?? []
    }
}

/// Blobs.
extension BlobFolder {
    /// Returns a blob and records its use; deletes a damaged file.
    ///
    /// - Parameter limit: The maximum size of the file in bytes; see ``Blob/size(body:head:key:)``.
    func read(_ key: String, in group: BlobGroup, limit: Int) -> Blob? {
        let file = Self.name(of: key)
        // Doesn't follow a symbolic link, or block on a pipe of that name.
        let descriptor = openat(group.descriptor, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let data = try? StorageFile.contents(of: descriptor, limit: limit, name: file) else { return nil }
        guard let blob = Blob(data, key: key) else {
            remove(key, in: group)
            return nil
        }
        StorageFile.setUseDate(now(), of: descriptor)
        return blob
    }

    /// Stores a blob; returns the file's size in bytes. If it's `nil`, an earlier file is left.
    func write(_ blob: Blob, _ key: String, in group: BlobGroup) -> Int? {
        let tail = blob.tail(key: key)
        let size = blob.body.count.addingClamped(tail.count)
        guard size <= byteLimit else {
            remove(key, in: group)
            return nil
        }
        let file = Self.name(of: key)
        let new = Self.newPrefix + Self.randomName
        let output = openat(group.descriptor, new, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { return nil }
        defer { close(output) }
        // Not synced: the checksum detects the effect of a power failure.
        guard StorageFile.write(blob.body, to: output), StorageFile.write(tail, to: output),
            renameat(group.descriptor, new, group.descriptor, file) == 0
        else {
            unlinkat(group.descriptor, new, 0)
            return nil
        }
        // Not before: until it's renamed, the system's time shows whether its writer has ended.
        StorageFile.setUseDate(now(), of: output)
        noteWrite(of: size)
        return size
    }

    func remove(_ key: String, in group: BlobGroup) { unlinkat(group.descriptor, Self.name(of: key), 0) }
}

/// Use and eviction.
extension BlobFolder {
    /// Returns the size of all files in bytes, without those over the limit, which it deletes.
    ///
    /// It's 0 if nothing is stored, and then the files of others stay.
    func byteCount() -> Int { byteLimit > 0 ? evict() : 0 }

    /// Counts a file that was written, and evicts others if necessary.
    ///
    /// Other processes write, too, so the folder is listed again after every eighth of the limit.
    private func noteWrite(of count: Int) {
        room -= count
        guard room < 0 else { return }
        room = (byteLimit - evict()).clamped(to: 0...byteLimit / 8)
    }

    /// Deletes the least recently used files if all together exceed the limit.
    ///
    /// It deletes down to 7/8 of the limit, so that not every write evicts.
    ///
    /// - Returns: The size of the remaining files in bytes.
    private func evict() -> Int {
        let latest = now().addingTimeInterval(60)
        var files: [(file: StorageFile, bytes: Int, used: Date)] = []
        for group in names("") {
            if group.hasPrefix(Self.erasedPrefix) { deleteFolder(group) }
            guard Self.isDigest(group) else { continue }
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

    // MARK: Names

    static var newPrefix: String { "new-" }
    private static var erasedPrefix: String { "erased-" }
    static var randomName: String { String(UInt64.random(in: 0...(.max)), radix: 16) }

    /// The name of a key's file or an owner's folder, a digest of its UTF-8 bytes in hexadecimal.
    ///
    /// Different keys can have the same, so files contain their keys.
    static func name(of key: String) -> String {
        var key = key
        let digest = String(key.withUTF8 { Blob.checksum(of: UnsafeRawBufferPointer($0), 0) }, radix: 16)
        return String(repeating: "0", count: 16 - digest.count) + digest
    }

    private static func isDigest(_ name: String) -> Bool {
        name.utf8.count == 16 && UInt64(name, radix: 16) != nil
    }
}
