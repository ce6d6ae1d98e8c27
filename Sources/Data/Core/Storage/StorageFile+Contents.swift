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
    /// Reads a file that only its owner can access; `nil` if it doesn't exist.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: `.exposed` if others can access it, or if it isn't a regular file of the current user; `.damaged` if it's
    ///   larger than the limit.
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
        let size = Int(clampingCount: Int64(status.st_size))
        // `Data(count:)` would zero the bytes first, which takes as long as reading an image.
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
    /// Other users with write permission could replace files or hold their locks. Removes the write permission of group and
    /// others from a folder of the current user, unless it's shared on purpose: with the sticky or set-group-ID bit, such as
    /// `/tmp`.
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
        guard Self.write(data, to: descriptor), Self.synchronize(descriptor) == 0 else {
            let code = errno
            unlink(new.path)
            throw Self.failure(code, file: new.name)
        }
        do throws(StorageFailure) {
            try new.move(replacing: self)
        } catch {
            unlink(new.path)
            throw error
        }
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

    /// Deletes the file durably, so that a session that was signed out isn't back after a power failure.
    func delete() throws(StorageFailure) {
        for file in [self, temporary] where unlink(file.path) != 0 && errno != ENOENT {
            throw Self.failure(errno, file: name)
        }
        synchronizeFolder()
    }
}
