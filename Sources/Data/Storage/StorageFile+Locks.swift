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

/// Locks of files, held with `flock` on a file of their own beside them.
///
/// They exclude other processes and other holders in this process. The system releases those of a process that ends.
extension StorageFile {
    /// Runs work while no other holder of the lock does, and blocks the thread until then.
    ///
    /// Creates the folder, for its owner alone, when it is missing.
    ///
    /// - Parameter timeout: The longest wait for others; `nil` waits as long as it takes.
    /// - Throws: `.busy` when the others take longer.
    func locked<Result>(waitingAtMost timeout: Duration? = nil, _ body: () throws -> Result) throws -> Result {
        let descriptor = try openLock(isPrivate: false)
        defer { Self.unlock(descriptor) }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while flock(descriptor, deadline == nil ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK, let deadline else { throw Self.failure(code, file: name) }
            guard ContinuousClock.now < deadline else { throw StorageFailure(reason: .busy, file: name) }
            usleep(1000)
        }
        return try body()
    }

    /// Runs work while no other holder of the lock does, and suspends the task until then.
    ///
    /// Callers in this process take turns: `flock` can't be awaited, and polling isn't fair to callers that come first.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for another process, once it's this caller's turn.
    ///   - clock: Measures the wait.
    /// - Throws: `.busy` when others take longer, `.exposed` when the lock file isn't a plain file of its owner's, and
    ///   `CancellationError`, at once, when the task is canceled while it waits.
    func privatelyLocked<Result: Sendable>(
        waitingAtMost timeout: Duration,
        on clock: any Clock<Duration>,
        _ body: () throws -> Result
    ) async throws -> Result {
        let queue = Self.joinQueue(of: path)
        defer { Self.leaveQueue(of: path) }
        guard case .admitted = await queue.enter(SharedPriority(.visible), until: nil) else {
            throw CancellationError()
        }
        defer { queue.update { slots, _ in slots.release() } }
        let isOver = clock.deadline(after: timeout)
        while true {
            if let descriptor = try tryLock() {
                defer { Self.unlock(descriptor) }
                return try body()
            }
            guard !isOver() else { throw StorageFailure(reason: .busy, file: name) }
            try await clock.sleep(for: .milliseconds(5))
        }
    }

    private typealias Queue = RequestQueue<RequestSlots>

    /// The queues of this process by path, with the number of callers that use each.
    private static let queues = Mutex<[String: (queue: Queue, userCount: Int)]>([:])

    private static func joinQueue(of path: String) -> Queue {
        queues.withLock { queues in
            let (queue, userCount) = queues[path] ?? (Queue(limit: 1, clock: ContinuousClock()), 0)
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

    /// Takes the lock, unless another holder has it; then it returns `nil` at once.
    ///
    /// - Returns: What to call ``unlock(_:)`` with.
    /// - Throws: `.exposed` when the lock file isn't a plain file of its owner's.
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

    /// Does what ``locked(waitingAtMost:_:)`` does, unless another holder has the lock: then it returns `nil` at once.
    func lockedUnlessBusy<Result>(_ body: () throws -> Result) throws -> Result? {
        let descriptor = try openLock(isPrivate: false)
        defer { Self.unlock(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Self.failure(errno, file: name) }
            return nil
        }
        return try body()
    }

    /// Releases a lock.
    ///
    /// Closing the file alone releases it too, but not while a process that is being started has a copy of the descriptor,
    /// which it has until it runs its own program.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens the lock file, and creates it and its folder when they are missing.
    ///
    /// - Parameter isPrivate: Whether to refuse the file of another owner, who could hold its lock forever.
    private func openLock(isPrivate: Bool) throws(StorageFailure) -> Int32 {
        // Not through a link, which could create or open a file elsewhere, and without waiting for a pipe of that name.
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

    private func makeFolder() throws(StorageFailure) {
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

extension Clock<Duration> {
    /// Returns a function that tells whether a time from now is over; more than ``TimeLimit/longest`` is shortened to that.
    func deadline(after duration: Duration) -> @Sendable () -> Bool {
        let deadline = now.advanced(by: min(duration, TimeLimit.longest))
        return { now >= deadline }
    }
}
