import BrowseDomain
import CBrowseSQLite
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that its owner alone may use: its folder, its name, and what SQLite puts beside it when it is a database.
struct StorageFile: Sendable {
    /// The folder, made for its owner alone.
    let folder: URL
    /// The file's name.
    let name: String
    /// The folder's path, with a slash at its end.
    private let folderPath: String

    init(folder: URL, name: String) {
        let path = folder.path(percentEncoded: false)
        self.init(folder: folder, folderPath: path.hasSuffix("/") ? path : path + "/", name: name)
    }

    private init(folder: URL, folderPath: String, name: String) {
        self.folder = folder
        self.folderPath = folderPath
        self.name = name
    }

    /// Another file of the folder; quick, since no address is put together.
    func neighbor(_ name: String) -> StorageFile {
        StorageFile(folder: folder, folderPath: folderPath, name: name)
    }

    /// The file.
    var url: URL { folder.appending(path: name, directoryHint: .notDirectory) }

    /// What the file system tells one file from another by; `nil` when the file is not there.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// Which file is there now.
    var identity: Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    /// Makes an empty file of its owner's alone, unless there is one; SQLite gives the files beside it the same rights.
    ///
    /// A file that is there is not opened: closing it again would give up the locks that SQLite holds on it in this process
    /// (sqlite.org/howtocorrupt.html, section 2.2).
    func create() throws(StorageFailure) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw Self.failure(errno, file: name)
        }
        close(descriptor)
    }

    /// The file beside this one of the same stem with an addition to it, as in `favorites-new.sqlite`.
    func sibling(_ addition: String) -> StorageFile {
        let stem = (name as NSString).deletingPathExtension
        let suffix = (name as NSString).pathExtension
        return StorageFile(folder: folder, name: "\(stem)-\(addition).\(suffix)")
    }

    /// A name for a damaged file that nothing has yet.
    func freeDamagedSibling() -> StorageFile {
        for number in 1... {
            let file = sibling("damaged-\(number)")
            if Self.parts.allSatisfy({ access(file.path + $0, F_OK) != 0 }) { return file }
        }
        return sibling("damaged")
    }

    /// Copies the file, and the changes that SQLite has not put into it yet.
    func copy(to other: StorageFile) throws(StorageFailure) {
        other.remove()
        for part in ["", "-wal"] where access(path + part, F_OK) == 0 {
            do {
                try FileManager.default.copyItem(atPath: path + part, toPath: other.path + part)
            } catch {
                other.remove()
                throw StorageFailure(reason: Self.isFull(error) ? .full : .notWritable, file: name)
            }
        }
    }

    /// Takes the place of another file in one step; what SQLite put beside that one goes.
    func replace(_ other: StorageFile) throws(StorageFailure) {
        for part in ["-wal", "-shm"] { unlink(other.path + part) }
        try takePlace(of: other)
    }

    /// Takes the name of another file in one step, which is on the disk when this returns.
    func takePlace(of other: StorageFile) throws(StorageFailure) {
        guard rename(path, other.path) == 0 else { throw Self.failure(errno, file: name) }
        // The new name is on the disk when its folder is.
        let descriptor = open(folder.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = Self.synchronize(descriptor)
        close(descriptor)
    }

    /// Writes a file's bytes to permanent storage; returns 0, or -1 and sets `errno`.
    ///
    /// On Apple platforms `fsync` only hands them to the drive, which may lose its cache with the power: fsync(2).
    static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        // Not every file system can do more than `fsync`: those of a network, for one.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Excludes the file and what SQLite put beside it from backups, where the system has them: for caches.
    ///
    /// SQLite deletes its log with the last connection, so this is repeated whenever the file is opened.
    func excludeFromBackup() {
        for part in Self.parts { Self.excludeFromBackup(URL(filePath: path + part, directoryHint: .notDirectory)) }
    }

    /// Excludes the file's folder and everything in it from backups.
    func excludeFolderFromBackup() {
        Self.excludeFromBackup(folder)
    }

    private static func excludeFromBackup(_ url: URL) {
        var url = url
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // A file that isn't there needs no mark, and one without still works.
        try? url.setResourceValues(values)
    }

    /// Deletes the file and what SQLite put beside it, where they are.
    func remove() {
        for part in Self.parts { unlink(path + part) }
    }

    /// Whether the file or one that SQLite puts beside it is there.
    var exists: Bool { Self.parts.contains { access(path + $0, F_OK) == 0 } }

    /// The size of SQLite's log beside the file in bytes.
    var logSize: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(clamping: status.st_size) : 0
    }

    /// Whether something that is no file has the place of one, such as a folder, or a link that leads nowhere.
    var hasObstacle: Bool { (Self.parts + ["-lock"]).contains { Self.isObstacle(path + $0) } }

    private static func isObstacle(_ path: String) -> Bool {
        var status = stat()
        // Locks aren't opened through a link, wherever it leads.
        let isFound = path.hasSuffix("-lock") ? lstat(path, &status) : stat(path, &status)
        guard isFound == 0 else { return lstat(path, &status) == 0 }
        return status.st_mode & S_IFMT != S_IFREG
    }

    /// Deletes the file and what SQLite put beside it; what is no file isn't ours, and gets another name instead.
    ///
    /// - Returns: Whether the file is gone; another may be there.
    func removeWithObstacles() -> Bool {
        let old = identity
        let parts = Self.parts + ["-lock"]
        for part in parts where Self.isObstacle(path + part) {
            let names = (1...1000).lazy.map { sibling("damaged-\($0)").path + part }
            if let free = names.first(where: { access($0, F_OK) != 0 }) { rename(path + part, free) }
        }
        remove()
        let new = identity
        return new == nil || new != old
    }

    /// What SQLite's failure means for this file.
    func failure(_ failure: Database.Failure) -> StorageFailure {
        let reason: StorageFailure.Reason =
            switch failure.primary {
            case SQLITE_FULL: .full
            // Also when there is no room for the file that the connections share, which reading needs too.
            case SQLITE_IOERR, SQLITE_CANTOPEN: Self.reason(of: failure.systemCode) ?? .other
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .notWritable
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .other
            }
        return StorageFailure(reason: reason, file: name, code: Int(failure.code))
    }

    /// What SQLite adds to the name for the files it puts beside one.
    private static var parts: [String] { ["", "-wal", "-shm"] }

    var path: String { folderPath + name }

    static func failure(_ code: Int32, file: String) -> StorageFailure {
        StorageFailure(reason: reason(of: code) ?? .other, file: file)
    }

    /// What the system's number means; `nil` when it means nothing that a person could do something about.
    private static func reason(of code: Int32) -> StorageFailure.Reason? {
        switch code {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS, ENOTDIR, ENOENT, EISDIR, ELOOP: .notWritable
        default: nil
        }
    }

    static func isFull(_ error: any Error) -> Bool {
        (error as? CocoaError)?.code == .fileWriteOutOfSpace
    }
}
