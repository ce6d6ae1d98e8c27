import BrowseDomain
import Foundation

/// File locks: `flock` on a separate lock file.
///
/// They exclude other processes and other holders in this process. The system releases them when a
/// process ends.
extension StorageFile {
    /// Blocks the thread until the lock is available, and runs a closure while holding it.
    ///
    /// Creates a missing folder with permissions for its owner only. A suspended process can hold
    /// the lock forever.
    ///
    /// - Throws: `.busy` after the timeout, or the error of the closure.
    func locked<Result>(
        isShared: Bool = false,
        waitingAtMost timeout: Duration = .seconds(10),
        _ body: () throws -> Result
    ) throws -> Result {
        let end = ContinuousClock.now + timeout
        while true {
            if let descriptor = try tryLock(isShared ? LOCK_SH : LOCK_EX, isPrivate: false) {
                defer { Self.unlock(descriptor) }
                return try body()
            }
            guard ContinuousClock.now < end else { throw StorageFailure(reason: .busy, file: name) }
            usleep(2000)
        }
    }

    /// Runs a closure on a queue while holding the lock; suspends the caller until it's available.
    ///
    /// It polls, because `flock` can't be awaited. Once the closure is queued, it runs, even if the
    /// caller doesn't wait for it any longer.
    ///
    /// - Throws: `.busy` after the timeout, or if the queue hangs; `.exposed` if the lock file
    ///   isn't a regular file of the current user; `.cancelled` if a task is canceled during a
    ///   pause; or the error of the closure.
    func privatelyLocked<Value: Sendable>(
        waitingAtMost timeout: Duration,
        on clock: any Clock<Duration>,
        _ queue: QueueExecutor,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(BrowseError) -> Value {
        let value = try await clock.poll(every: .milliseconds(5), for: timeout) { () throws(BrowseError) -> Value? in
            try await queued(on: queue, isChange: true) {
                guard let descriptor = try tryLock() else { return nil }
                defer { Self.unlock(descriptor) }
                return try body()
            }
        }
        if let value { return value }
        throw Task.isCancelled ? .cancelled : error(StorageFailure.Reason.busy)
    }

    /// Runs a closure on a queue.
    ///
    /// - Parameter isChange: Whether the closure runs even if nobody waits for it any longer, and
    ///   canceling the task doesn't end the wait.
    /// - Throws: `.busy` if the queue hangs, `.cancelled`, or the error of the closure.
    func queued<Value: Sendable>(
        on queue: QueueExecutor,
        isChange: Bool = false,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(BrowseError) -> Value {
        let result = await queue.run(isCancellable: !isChange, storing: isChange ? 0 : nil) { Result(catching: body) }
        switch result {
        case .success(let value): return value
        case .failure(let failure): throw error(failure)
        case nil: throw Task.isCancelled && !isChange ? .cancelled : error(StorageFailure.Reason.busy)
        }
    }

    /// Acquires the lock; returns `nil` if another holder has it.
    ///
    /// - Parameter isPrivate: Whether to throw `.exposed` if the lock file isn't a regular file of
    ///   the current user: another owner could hold the lock forever.
    /// - Returns: The descriptor for ``unlock(_:)``.
    func tryLock(_ kind: Int32 = LOCK_EX, isPrivate: Bool = true) throws(StorageFailure) -> Int32? {
        let descriptor = try openLock(isPrivate: isPrivate)
        while flock(descriptor, kind | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            // On a network volume without locks, a session without exclusion is better than none.
            if [ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code) { break }
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
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw StorageFailure(reason: isFull ? .full : .notWritable, file: name)
        }
    }
}
