import Foundation

/// The folder of an owner's blobs, as it was opened.
///
/// It stays the same folder when it's renamed. If it's opened before a request is sent, a response
/// that arrives after any process has erased the owner's blobs is written to the erased folder.
final class BlobGroup: Sendable {
    private let queue: QueueExecutor
    private let path: String
    let descriptor: Int32
    private let identity: StorageFile.Identity

    /// Opens a folder, created in `root` if that isn't `nil`; `nil` if it doesn't exist or others
    /// can access it.
    init?(_ queue: QueueExecutor, path: String, creates root: StorageFile?) {
        // Others can't replace what is in a private folder, and a symbolic link could lead to a
        // foreign one.
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
        self.queue = queue
        self.path = path
        self.descriptor = descriptor
        identity = StorageFile.Identity(status)
    }

    deinit { queue.handOver { [descriptor] in close(descriptor) } }

    /// Whether the owner's blobs haven't been erased since the folder was opened; blocks.
    var isCurrent: Bool { StorageFile.Identity(path: path) == identity }
}
