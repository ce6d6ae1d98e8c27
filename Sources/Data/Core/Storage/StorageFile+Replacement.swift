import BrowseDomain
import Foundation

/// Replacing a database and its log, in steps that an end of the process can interrupt.
///
/// The log must neither be deleted while the old file counts, nor be replayed into the new one. So the new file is first renamed
/// to the *replacement*, which counts from then on. The remaining steps can be repeated.
extension StorageFile {
    private var replacement: StorageFile { neighbor(name + "-replacement") }

    /// Whether another file is about to replace this one.
    var isReplaced: Bool { access(replacement.path, F_OK) == 0 }

    /// Replaces this database; the caller must hold the lock.
    ///
    /// - Parameter new: A complete file, which no connection uses.
    /// - Throws: The failure of a step. If ``isReplaced`` is `true` then, the new file counts.
    func replace(with new: StorageFile) throws(StorageFailure) {
        try new.move(replacing: replacement)
        try finishReplacement()
    }

    /// Completes a replacement that was interrupted; the caller must hold the lock.
    func finishReplacement() throws(StorageFailure) {
        guard isReplaced else { return }
        for part in ["-wal", "-shm"] where unlink(path + part) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
        // After a power failure, the new file must not be next to the old log.
        synchronizeFolder()
        try replacement.move(replacing: self)
    }
}
