import BrowseDomain
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension StorageFile {
    /// The contents of a file that only its owner can use; `nil` when there is none.
    ///
    /// - Throws: `.exposed` when others may use it, or it is no plain file of the owner's.
    func readPrivately(limit: Int) throws(StorageFailure) -> Data? {
        // Not through a link, and without waiting for whoever might write to a pipe of that name.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, EMLINK: throw StorageFailure(reason: .exposed, file: name)
            default: throw Self.failure(errno, file: name)
            }
        }
        defer { close(descriptor) }
        // Of what was opened, not of what has that name by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, file: name) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw StorageFailure(reason: .exposed, file: name)
        }
        guard status.st_size <= limit else { throw StorageFailure(reason: .damaged, file: name) }
        let size = Int(clampingCount: Int64(status.st_size))
        // Bytes that are not set to zero first: for a picture that would take as long as reading it.
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

    /// Ensures that nobody but the owner, or root, can write to the folder; a folder that is missing passes.
    ///
    /// Another user who can write there could replace files or hold their locks. Removes the permission of the group and of
    /// others from a folder of this user. A folder that is shared on purpose isn't changed: one with the sticky or
    /// set-group-ID bit, such as `/tmp`, or of another owner.
    ///
    /// - Throws: `.exposedFolder` when others can write there still.
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

    /// The file that becomes this one when it is written.
    ///
    /// Its name ends differently than any that this file could have, so it can't be another server's.
    private var unfinished: StorageFile { neighbor(name + "-new") }

    /// Puts a file of its owner's alone in place of what is there, in one step; for the holder of the lock.
    func writePrivately(_ data: Data) throws(StorageFailure) {
        let new = unfinished
        // Left by a process that was killed.
        unlink(new.path)
        try new.write(data) { Self.synchronize($0) }
        do throws(StorageFailure) {
            try new.takePlace(of: self)
        } catch {
            unlink(new.path)
            throw error
        }
    }

    /// Puts a file of its owner's alone in place of what is there, in one step, but without waiting for the disk: for what
    /// may be lost when the power goes.
    ///
    /// - Parameter new: The file to write, of a name that nobody else uses; ``deleteIfAbandoned()`` tells whether it is.
    func writeQuickly(_ data: Data, by new: StorageFile) throws(StorageFailure) {
        try new.write(data) { _ in rename(new.path, path) }
    }

    /// Writes a new file; it is locked until its writer is done, or gone.
    private func write(_ data: Data, finish: (Int32) -> Int32) throws(StorageFailure) {
        let descriptor = try createLocked()
        defer { close(descriptor) }
        guard Self.write(data, to: descriptor), finish(descriptor) == 0 else {
            let code = errno
            unlink(path)
            throw Self.failure(code, file: name)
        }
    }

    /// Creates the file and locks it.
    private func createLocked() throws(StorageFailure) -> Int32 {
        for _ in 0..<100 {
            let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(errno, file: name) }
            // Where files cannot be locked, nobody takes them for abandoned either.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            if access(path, F_OK) == 0 { return descriptor }
            // Somebody who cleans up came between.
            close(descriptor)
        }
        throw Self.failure(ENOENT, file: name)
    }

    /// Writes bytes; `false` when they could not all be written, which `errno` explains.
    private static func write(_ data: Data, to descriptor: Int32) -> Bool {
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

    /// Deletes a file that somebody began to write who has gone since.
    func deleteIfAbandoned() {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Self.unlock(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }

    /// Deletes the file, where it is.
    func delete() throws(StorageFailure) {
        for file in [self, unfinished] where unlink(file.path) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
    }
}
