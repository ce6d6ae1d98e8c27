import BrowseDomain
import Foundation

/// File locks: `flock` on a separate lock file.
///
/// They exclude other processes and other holders in this process. The system releases them when a process ends.
extension StorageFile {
    /// Blocks the thread until the lock is available, and runs a closure while holding it.
    ///
    /// Creates a missing folder with permissions for its owner only. A suspended process can hold the lock forever.
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

    /// Suspends the caller until the lock is available, and runs a closure while holding it.
    ///
    /// It polls, because `flock` can't be awaited.
    ///
    /// - Throws: `.busy` after the timeout, `.exposed` if the lock file isn't a regular file of the current user, and
    ///   `CancellationError` if a waiting task is canceled.
    func privatelyLocked<Result: Sendable>(
        waitingAtMost timeout: Duration,
        on clock: any Clock<Duration>,
        _ body: () throws -> Result
    ) async throws -> Result {
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

    /// Acquires the lock; returns `nil` if another holder has it.
    ///
    /// - Parameter isPrivate: Whether to throw `.exposed` if the lock file isn't a regular file of the current user: another owner
    ///   could hold the lock forever.
    /// - Returns: The descriptor for ``unlock(_:)``.
    func tryLock(_ kind: Int32 = LOCK_EX, isPrivate: Bool = true) throws(StorageFailure) -> Int32? {
        let descriptor = try openLock(isPrivate: isPrivate)
        while flock(descriptor, kind | LOCK_NB) != 0 {
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
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw StorageFailure(reason: isFull ? .full : .notWritable, file: name)
        }
    }
}

extension Clock<Duration> {
    /// Repeats an attempt at intervals until it succeeds; the last attempt is at the timeout.
    ///
    /// - Parameter timeout: The time until the last attempt, at most ``TimeLimit/longest``.
    /// - Returns: The attempt's value; `nil` if the last one fails, or if the task is canceled during a pause.
    func poll<Value, Failure: Error>(
        every interval: Duration,
        for timeout: Duration,
        _ attempt: () async throws(Failure) -> Value?
    ) async throws(Failure) -> Value? {
        let deadline = now.advanced(by: min(timeout, TimeLimit.longest))
        while true {
            // Read before the attempt, so that a test clock that advances during it shortens the pause.
            let start = now
            if let value = try await attempt() { return value }
            guard start < deadline else { return nil }
            let end = min(start.advanced(by: interval), deadline)
            guard (try? await sleep(until: end, tolerance: nil)) != nil else { return nil }
        }
    }

    /// Returns a closure that reports whether a duration has passed; limited to ``TimeLimit/longest``.
    func deadline(after duration: Duration) -> @Sendable () -> Bool {
        let deadline = now.advanced(by: min(duration, TimeLimit.longest))
        return { now >= deadline }
    }
}
