import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder of an owner's blobs, as it was opened.
///
/// It stays the same folder when it's renamed. If it's opened before a request is sent, a response that arrives after any process
/// has erased the owner's blobs is written to the erased folder.
final class BlobGroup: Sendable {
    private let store: BlobFolder
    private let name: String
    private let path: String
    private let descriptor: Int32
    private let identity: StorageFile.Identity

    /// Opens a folder; `nil` if it doesn't exist or others can access it.
    ///
    /// - Parameter root: The folder above, to create a missing folder; `nil` doesn't create it.
    init?(_ store: BlobFolder, name: String, path: String, creates root: StorageFile?) {
        // Others can't replace what is in a private folder, and a symbolic link could lead to a foreign one.
        func openFolder() -> Int32 { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        var descriptor = openFolder()
        if descriptor < 0, errno == ENOENT, let root {
            if mkdir(path, 0o700) != 0, errno == ENOENT, (try? root.makeFolder()) != nil {
                root.excludeFolderFromBackup()
                mkdir(path, 0o700)
            }
            descriptor = openFolder()
        }
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(descriptor)
            return nil
        }
        self.store = store
        self.name = name
        self.path = path
        self.descriptor = descriptor
        identity = StorageFile.Identity(status)
    }

    deinit { close(descriptor) }

    /// Whether the owner's blobs haven't been erased since the folder was opened.
    var isCurrent: Bool { StorageFile.Identity(path: path) == identity }

    /// Returns a blob and records its use; deletes a damaged file.
    ///
    /// - Parameter limit: The maximum size of the file in bytes; see ``Blob/size(body:head:key:)``.
    func read(_ key: String, limit: Int) -> Blob? {
        let file = BlobFolder.name(of: key)
        // Doesn't follow a symbolic link, or block on a pipe of that name.
        let descriptor = openat(descriptor, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard !store.isUndeleted("\(name)/\(file)"),
            let data = try? StorageFile.contents(of: descriptor, limit: limit, name: file)
        else { return nil }
        guard let blob = Blob(data, key: key) else {
            remove(key)
            return nil
        }
        StorageFile.setUseDate(store.nextUse(), of: descriptor)
        return blob
    }

    /// Stores a blob.
    ///
    /// - Returns: The size of the file in bytes; `nil` if it couldn't be written, which leaves an earlier one.
    func write(_ blob: Blob, _ key: String) -> Int? {
        let tail = blob.tail(key: key)
        let size = blob.body.count.addingClamped(tail.count)
        guard size <= store.byteLimit else {
            remove(key)
            return nil
        }
        let (file, new) = (BlobFolder.name(of: key), BlobFolder.newPrefix + BlobFolder.randomName)
        let output = openat(descriptor, new, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { return nil }
        defer { close(output) }
        // Not synced: the checksum detects the effect of a power failure.
        guard StorageFile.write(blob.body, to: output), StorageFile.write(tail, to: output) else {
            unlinkat(descriptor, new, 0)
            return nil
        }
        guard renameat(descriptor, new, descriptor, file) == 0 else {
            unlinkat(descriptor, new, 0)
            return nil
        }
        // Not before: until it's renamed, the system's time shows whether its writer has ended.
        StorageFile.setUseDate(store.nextUse(), of: output)
        store.note("\(name)/\(file)", isDeleted: true)
        store.noteWrite(of: size)
        return size
    }

    func remove(_ key: String) {
        let file = BlobFolder.name(of: key)
        store.note("\(name)/\(file)", isDeleted: unlinkat(descriptor, file, 0) == 0 || errno == ENOENT)
    }
}
