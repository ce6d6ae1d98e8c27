import BrowseDomain
import CBrowseSQLite
import Foundation

/// A file with permissions for its owner only, and the auxiliary files that SQLite adds to a
/// database.
struct StorageFile: Sendable {
    let folder: URL
    private(set) var name: String
    /// The folder's path, with a trailing slash.
    private let folderPath: String

    init(folder: URL, name: String) {
        let path = folder.path(percentEncoded: false)
        self.folder = folder
        self.name = name
        folderPath = path.hasSuffix("/") ? path : path + "/"
    }

    /// Another file in the folder; cheap, because it composes no URL.
    func neighbor(_ name: String) -> StorageFile { modified(self) { $0.name = name } }

    var path: String { folderPath + name }

    var url: URL { folder.appending(path: name, directoryHint: .notDirectory) }

    /// The device and inode numbers of a file.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(status.st_ino)
        }

        /// The identity of what has a path now; `nil` if there's nothing.
        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    /// The identity of the file that has this name now; `nil` if there's none.
    var identity: Identity? { Identity(path: path) }

    /// Whether this is a folder, and not a link to one.
    var isFolder: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size and the modification date of the file; `nil` if it doesn't exist.
    var use: (bytes: Int, date: Date)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        let date = Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
        return (Int(clamping: status.st_size), date)
    }

    /// Creates an empty file for its owner only, unless it exists.
    ///
    /// SQLite's auxiliary files inherit its permissions. An existing file isn't opened: closing it
    /// would release the locks that SQLite holds on it in this process
    /// (sqlite.org/howtocorrupt.html, section 2.2).
    func create() throws(StorageFailure) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw Self.failure(errno, file: name)
        }
        close(descriptor)
    }

    /// The file in the same folder with a suffix after the stem, as in `favorites-new.sqlite`.
    func sibling(_ suffix: String) -> StorageFile {
        let name = self.name as NSString
        return neighbor("\(name.deletingPathExtension)-\(suffix).\(name.pathExtension)")
    }

    /// Renames the auxiliary files, and then the file.
    func moveDatabase(to other: StorageFile) throws(StorageFailure) {
        for part in Self.parts.reversed() where rename(path + part, other.path + part) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
    }

    /// Replaces another file atomically and durably.
    func move(replacing other: StorageFile) throws(StorageFailure) {
        guard rename(path, other.path) == 0 else { throw Self.failure(errno, file: name) }
        synchronizeFolder()
    }

    /// Makes earlier renames and deletions in the folder durable, before later ones.
    func synchronizeFolder() {
        let descriptor = open(folder.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = Self.synchronize(descriptor)
        close(descriptor)
    }

    /// Syncs a file to permanent storage; returns 0, or -1 and sets `errno`.
    ///
    /// On Apple platforms, `fsync` doesn't flush the drive's cache: fsync(2).
    static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        // Not all file systems support this, such as those on a network.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Excludes the folder and everything in it from backups, on systems that have them.
    func excludeFolderFromBackup() {
        var url = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // Errors are ignored: a missing file needs no exclusion, and the cache works without one.
        try? url.setResourceValues(values)
    }

    func remove() {
        for part in Self.parts { unlink(path + part) }
    }

    /// Whether the file or an auxiliary file exists.
    var exists: Bool { Self.parts.contains { access(path + $0, F_OK) == 0 } }

    /// Converts an error, or the reason for one, to the public error type.
    func error(_ error: any Error) -> BrowseError {
        switch error {
        case let error as BrowseError: error
        case is CancellationError: .cancelled
        case let failure as StorageFailure: .storageFailed(failure)
        case let failure as Database.Failure: .storageFailed(self.failure(failure))
        default: .storageFailed(StorageFailure(reason: error as? StorageFailure.Reason ?? .other, file: name))
        }
    }

    /// The storage failure for a failure of SQLite.
    private func failure(_ failure: Database.Failure) -> StorageFailure {
        let reason: StorageFailure.Reason =
            switch failure.primary {
            case SQLITE_FULL: .full
            // The shared-memory file may not fit on the disk either, and reading needs it.
            case SQLITE_IOERR, SQLITE_CANTOPEN: Self.reason(of: failure.systemCode) ?? .other
            // Apple's SQLite has this code for `EPERM`.
            case SQLITE_AUTH: Self.reason(of: EPERM) ?? .other
            case SQLITE_READONLY, SQLITE_PERM: .notWritable
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .other
            }
        return StorageFailure(reason: reason, file: name, code: Int(failure.code))
    }

    /// The suffixes of a database and its auxiliary files.
    private static var parts: [String] { ["", "-wal", "-shm"] }

    static func failure(_ code: Int32, file: String) -> StorageFailure {
        StorageFailure(reason: reason(of: code) ?? .other, file: file)
    }

    /// The reason for an error number; `nil` if the user can't do anything about it.
    private static func reason(of code: Int32) -> StorageFailure.Reason? {
        switch code {
        case ENOSPC, EDQUOT: .full
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        // The file is encrypted while the device is locked.
        case EPERM: .locked
        #endif
        case EACCES, EPERM, EROFS, ENOTDIR, ENOENT, EISDIR, ELOOP: .notWritable
        default: nil
        }
    }
}

extension StorageFile {
    /// Reads a file that only its owner can access; `nil` if it doesn't exist.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: `.exposed` if others can access it, or if it isn't a regular file of the current
    ///   user; `.damaged` if it's larger than the limit.
    func readPrivately(limit: Int) throws(StorageFailure) -> Data? {
        // Doesn't follow a symbolic link, or block on a pipe of that name.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, EMLINK: throw StorageFailure(reason: .exposed, file: name)
            default: throw Self.failure(errno, file: name)
            }
        }
        defer { close(descriptor) }
        return try Self.contents(of: descriptor, limit: limit, name: name)
    }

    /// Reads an open file, as ``readPrivately(limit:)`` does.
    static func contents(of descriptor: Int32, limit: Int, name: String) throws(StorageFailure) -> Data {
        // The status of the open file; another one may have taken its name.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, file: name) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw StorageFailure(reason: .exposed, file: name)
        }
        guard status.st_size <= limit else { throw StorageFailure(reason: .damaged, file: name) }
        let size = Int(clamping: status.st_size)
        // `Data(count:)` would zero the bytes first, which takes as long as reading an image, and
        // `FileHandle` reads 8 KB at once.
        guard let bytes = malloc(max(1, size)) else { throw StorageFailure(reason: .other, file: name) }
        var count = 0
        while count < size {
            let read = Foundation.read(descriptor, bytes + count, size - count)
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else {
                let code = errno
                free(bytes)
                throw Self.failure(code, file: name)
            }
            guard read > 0 else { break }
            count += read
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    /// Sets the modification date of an open file; files whose date can't be set keep theirs.
    static func setUseDate(_ date: Date, of descriptor: Int32) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let fraction = date.timeIntervalSince1970 - seconds
        let time = timespec(tv_sec: seconds.clampedToInt, tv_nsec: (fraction * 1e9).clampedToInt)
        // The times of access and of modification.
        withUnsafeBytes(of: (time, time)) { times in
            _ = futimens(descriptor, times.assumingMemoryBound(to: timespec.self).baseAddress)
        }
    }

    /// Ensures that only the owner or root can write to the folder, if it exists.
    ///
    /// Other users with write permission could replace files or hold their locks. Removes the write
    /// permission of group and others from a folder of the current user, unless it's shared on
    /// purpose: with the sticky or set-group-ID bit, such as `/tmp`.
    ///
    /// - Throws: `.exposedFolder` if others can still write to it.
    func protectFolder() throws(StorageFailure) {
        let path = folder.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw Self.failure(errno, file: name)
        }
        let isOwn = status.st_uid == geteuid()
        // The sticky and the set-group-ID bit.
        let isShared = status.st_mode & 0o3000 != 0
        if isOwn || status.st_uid == 0, status.st_mode & 0o022 == 0 { return }
        guard isOwn, !isShared, chmod(path, status.st_mode & 0o7755) == 0 else {
            throw StorageFailure(reason: .exposedFolder, file: folder.lastPathComponent)
        }
    }

    /// The file that is written and then renamed to this one.
    ///
    /// No server's file name ends with its suffix.
    private var temporary: StorageFile { neighbor(name + "-new") }

    /// Replaces the file atomically and durably, for its owner only; the caller must hold the lock.
    func writePrivately(_ data: Data) throws(StorageFailure) {
        let new = temporary
        // A killed process may have left one.
        unlink(new.path)
        let descriptor = open(new.path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno, file: new.name) }
        defer { close(descriptor) }
        guard Self.write(data, to: descriptor), Self.synchronize(descriptor) == 0, rename(new.path, path) == 0 else {
            let code = errno
            unlink(new.path)
            throw Self.failure(code, file: new.name)
        }
        synchronizeFolder()
    }

    /// Writes all bytes; returns `false` and sets `errno` on failure.
    static func write(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Foundation.write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }

    /// Deletes the file durably, so that a session that was signed out isn't back after a power
    /// failure.
    func delete() throws(StorageFailure) {
        for file in [self, temporary] where unlink(file.path) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
        synchronizeFolder()
    }
}
