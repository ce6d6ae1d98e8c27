import BrowseDomain
import Foundation

/// Replacing a database and its log, in steps that an end of the process can interrupt.
///
/// The old log must not be replayed into the new file. So the new file is first renamed to the *replacement*, which counts from
/// then on. The remaining steps can be repeated.
extension StorageFile {
    private var replacement: StorageFile { neighbor(name + "-replacement") }

    /// Whether another file is about to replace this one.
    var isReplaced: Bool { access(replacement.path, F_OK) == 0 }

    /// Replaces this database, and moves it and its log aside; the caller must hold the lock.
    ///
    /// - Parameter new: A complete file, which no connection uses.
    /// - Returns: The file that was replaced.
    /// - Throws: The failure of a step. If ``isReplaced`` is `true` then, the new file counts.
    @discardableResult
    func replace(with new: StorageFile) throws(StorageFailure) -> StorageFile {
        let damaged = unusedDamagedSibling
        try new.move(replacing: replacement)
        try finishReplacement()
        return damaged
    }

    /// Completes a replacement that was interrupted; the caller must hold the lock.
    func finishReplacement() throws(StorageFailure) {
        guard isReplaced else { return }
        try moveDatabase(to: unusedDamagedSibling)
        // After a power failure, the new file must not be next to the old log.
        synchronizeFolder()
        try replacement.move(replacing: self)
    }

    /// The first unused `-damaged-` sibling.
    private var unusedDamagedSibling: StorageFile {
        for number in 1... {
            let file = sibling("damaged-\(number)")
            if access(file.path, F_OK) != 0 { return file }
        }
        return sibling("damaged")
    }
}
