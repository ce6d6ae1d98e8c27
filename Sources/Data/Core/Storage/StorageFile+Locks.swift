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

/// File locks: `flock` on a separate lock file.
///
/// They exclude other processes and other holders in this process. The system releases them when a process ends.
extension StorageFile {
    /// Blocks the thread until the lock is available, and runs a closure while holding it.
    ///
    /// Creates a missing folder with permissions for its owner only.
    ///
    /// - Parameter isShared: Whether to exclude exclusive holders only, and not all other holders.
    func locked<Result>(isShared: Bool = false, _ body: () throws -> Result) throws -> Result {
        let descriptor = try openLock(isPrivate: false)
        defer { Self.unlock(descriptor) }
        while flock(descriptor, isShared ? LOCK_SH : LOCK_EX) != 0 {
            if errno != EINTR { throw Self.failure(errno, file: name) }
        }
        return try body()
    }

    /// Suspends the caller until the lock is available, and runs a closure while holding it.
    ///
    /// Callers in this process wait in a queue, because `flock` can't be awaited and polling isn't fair.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for another process, once the caller is first in the queue.
    ///   - clock: The clock that measures the wait.
    /// - Throws: `.busy` after the timeout, `.exposed` if the lock file isn't a regular file of the current user, and
    ///   `CancellationError` if a waiting task is canceled.
    func privatelyLocked<Result: Sendable>(
        waitingAtMost timeout: Duration,
        on clock: any Clock<Duration>,
        _ body: () throws -> Result
    ) async throws -> Result {
        let queue = Self.joinQueue(of: path)
        defer { Self.leaveQueue(of: path) }
        guard await queue.enter() else { throw CancellationError() }
        defer { queue.leave() }
        let lock = try await clock.poll(every: .milliseconds(5), for: timeout) { () throws(StorageFailure) in
            try tryLock()
        }
        guard let descriptor = lock else {
            try Task.checkCancellation()
            throw StorageFailure(reason: .busy, file: name)
        }
        defer { Self.unlock(descriptor) }
        return try body()
    }

    /// The queues of this process by path, with their number of users.
    private static let queues = Mutex<[String: (queue: RequestSlots, userCount: Int)]>([:])

    private static func joinQueue(of path: String) -> RequestSlots {
        queues.withLock { queues in
            let (queue, userCount) = queues[path] ?? (RequestSlots(1), 0)
            queues[path] = (queue, userCount + 1)
            return queue
        }
    }

    private static func leaveQueue(of path: String) {
        queues.withLock { queues in
            guard let (queue, userCount) = queues[path] else { return }
            queues[path] = userCount > 1 ? (queue, userCount - 1) : nil
        }
    }

    /// Acquires the lock; returns `nil` if another holder has it.
    ///
    /// - Returns: The descriptor for ``unlock(_:)``.
    /// - Throws: `.exposed` if the lock file isn't a regular file of the current user: another owner could hold the lock forever.
    func tryLock() throws(StorageFailure) -> Int32? {
        let descriptor = try openLock(isPrivate: true)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            guard code == EWOULDBLOCK else { throw Self.failure(code, file: name) }
            return nil
        }
        return descriptor
    }

    /// Releases a lock.
    ///
    /// Closing the descriptor isn't enough: a forked process holds a copy of it until `exec`.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens the lock file, and creates it and its folder if they don't exist.
    private func openLock(isPrivate: Bool) throws(StorageFailure) -> Int32 {
        // A symbolic link could create a file elsewhere, and a pipe could block.
        let flags = O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        func open() -> Int32 { Foundation.open(path + "-lock", flags, 0o600) }
        var descriptor = open()
        if descriptor < 0, errno == ENOENT {
            try makeFolder()
            descriptor = open()
        }
        guard descriptor >= 0 else {
            if isPrivate, errno == ELOOP || errno == EMLINK { throw StorageFailure(reason: .exposed, file: name) }
            throw Self.failure(errno, file: name)
        }
        guard isPrivate else { return descriptor }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(descriptor)
            throw StorageFailure(reason: .exposed, file: name)
        }
        return descriptor
    }

    /// Creates the folder for its owner only, unless it exists.
    func makeFolder() throws(StorageFailure) {
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StorageFailure(reason: Self.isFull(error) ? .full : .notWritable, file: name)
        }
    }
}
