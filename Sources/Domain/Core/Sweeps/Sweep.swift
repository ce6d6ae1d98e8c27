#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads a paged list to its end, into a sink, and can be stopped and resumed at any time.
///
/// ```swift
/// let sweep = container.sweep(container.sweepSource(of: .followers(of: login)), into: file)
/// for try await progress in sweep.updates(.resume) { print(progress.checkpoint.rowCount) }
/// ```
///
/// It sends one request at a time, with the lowest priority, bypasses the response cache, and waits for rate limits. Rows are
/// unique by identifier. When a row of an earlier page disappears meanwhile, later ones move forward, and one can be missed at
/// the boundary of two pages; ``SweepStart/again`` finds it.
public struct Sweep<Row: Sendable>: Sendable {
    /// The list to load.
    public let source: SweepSource<Row>
    /// The storage of the rows.
    public let sink: any SweepSink<Row>
    /// The number of requests of the rate limit to leave to screens, but at most a tenth of the limit.
    public var reserve: Int = 500
    /// The longest wait of a request for rate limits.
    ///
    /// A sweep that would wait longer fails with `.rateLimited`.
    public var longestWait: Duration = .seconds(7200)
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>

    /// Creates a sweep; it starts with ``run(_:report:)`` or ``updates(_:)``.
    ///
    /// - Parameters:
    ///   - source: The list.
    ///   - sink: The storage.
    ///   - now: Returns the current time, which is compared with the end of rate limits.
    ///   - clock: Measures waits.
    public init(
        _ source: SweepSource<Row>,
        into sink: any SweepSink<Row>,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.sink = sink
        self.now = now
        self.clock = clock
    }

    /// Loads all pages, and returns the final progress.
    ///
    /// - Parameters:
    ///   - start: The page to start at.
    ///   - report: Receives the progress after each page, and when a wait begins or ends; it must not block.
    /// - Throws: `SweepError`: `.failed(.cancelled)` if the task is canceled. Stored pages remain.
    @concurrent
    @discardableResult
    public func run(
        _ start: SweepStart = .resume,
        report: @escaping @Sendable (SweepProgress) -> Void = { _ in }
    ) async throws(SweepError) -> SweepProgress {
        let progress: SweepProgress
        // A sink that can't be opened may be in use by another run, so it isn't closed.
        let stored = try await sink.open()
        do throws(SweepError) {
            progress = try await load(from: checkpoint(stored, start), report)
        } catch {
            await sink.close()
            throw error
        }
        await sink.close()
        return progress
    }

    /// Starts the sweep for each iteration, and delivers the newest progress.
    ///
    /// Ending the iteration stops the sweep. A sweep that starts before the page in flight ends throws `.inUse`.
    public func updates(_ start: SweepStart = .resume) -> SweepUpdates {
        SweepUpdates { report throws(SweepError) in try await run(start, report: report) }
    }

    /// Returns the expected numbers of rows and requests, after one request; stores nothing.
    public func estimate() async throws(SweepError) -> SweepProgress {
        var progress = SweepProgress(SweepCheckpoint(source.identity))
        let page = try await page(at: nil, validator: nil, progress) { _ in }
        progress.requestCount = 1
        progress.checkpoint.add(page, next: page?.page.next)
        progress.rateLimit = source.rateLimit()
        progress.remainingRequests = page?.remainingRequests ?? progress.checkpoint.remainingRequests
        return progress
    }

    private func load(
        from checkpoint: SweepCheckpoint,
        _ report: @escaping @Sendable (SweepProgress) -> Void
    ) async throws(SweepError) -> SweepProgress {
        var progress = SweepProgress(checkpoint)
        report(progress)
        var duration = Duration.zero
        let firstRow = progress.checkpoint.rowCount
        while !progress.checkpoint.isComplete {
            guard !Task.isCancelled else { throw .failed(.cancelled) }
            let cursor = progress.checkpoint.next
            var known = progress.checkpoint.pass > 1 ? try await sink.visit(at: cursor) : nil
            // Rows added after a full last page change only its link, which the tags of many servers don't cover.
            if known?.next == nil { known = nil }
            try await waitForReserve(progress, report)
            var page: SweepPage<Row>?
            duration += try await clock.time { () throws(SweepError) in
                page = try await self.page(at: cursor, validator: known?.validator, progress, report)
            }
            progress.requestCount += 1
            progress.rateLimit = source.rateLimit()
            try check(page, &progress.checkpoint)
            var next = page.map(\.page.next) ?? known?.next
            // A repeated cursor ends the list.
            if next == progress.checkpoint.mark { next = nil }
            progress.checkpoint.add(page, next: next)
            let batch = SweepBatch(
                rows: (page?.page.items ?? []).map { (source.id($0), $0) },
                at: cursor,
                // A second pass loads a page with gaps again.
                visit: page.flatMap { page in
                    page.gaps.isEmpty ? page.validator.map { SweepVisit(validator: $0, next: next) } : nil
                },
                progress.checkpoint
            )
            duration += try await clock.time { () throws(SweepError) in
                progress.checkpoint = batch.checkpoint(storing: try await sink.store(batch))
            }
            progress.estimate(
                after: page,
                rows: progress.checkpoint.rowCount - firstRow,
                in: duration / .seconds(1),
                reserve: progress.rateLimit.map(reserve),
                now: now()
            )
            report(progress)
        }
        return progress
    }

    /// Returns the checkpoint to start from.
    private func checkpoint(_ stored: SweepCheckpoint?, _ start: SweepStart) throws(SweepError) -> SweepCheckpoint {
        guard var checkpoint = stored else { return SweepCheckpoint(source.identity) }
        var identity = source.identity
        // Checked with the first response, which has the account.
        identity.account = checkpoint.identity.account
        guard checkpoint.identity == identity else { throw .otherSweep(found: checkpoint.identity) }
        if start == .again { checkpoint.startPass() }
        return checkpoint
    }

    /// Checks the account of a page; the first page of a new sweep determines it.
    private func check(_ page: SweepPage<Row>?, _ checkpoint: inout SweepCheckpoint) throws(SweepError) {
        guard let page else { return }
        if checkpoint.pass == 1, checkpoint.pageCount == 0 { checkpoint.identity.account = page.account }
        guard page.account == checkpoint.identity.account else { throw .otherSweep(found: checkpoint.identity) }
    }

    private func page(
        at cursor: PageCursor?,
        validator: String?,
        _ progress: SweepProgress,
        _ report: @escaping @Sendable (SweepProgress) -> Void
    ) async throws(SweepError) -> SweepPage<Row>? {
        let wait = RateLimitWait { wait in report(progress.waiting(until: wait.end)) }
        var waited = Duration.zero
        while true {
            do throws(BrowseError) {
                let options = LoadOptions(priority: .prefetch, longestWait: longestWait)
                return try await options.load { () throws(BrowseError) in
                    try await RateLimitWait.$current.withValue(wait) {
                        await Result.of { () throws(BrowseError) in try await source.load(cursor, validator) }
                    }
                    .get()
                }
                .value
            } catch .rateLimited(let limit, let request) {
                // The client repeats a refused request a few times only.
                let pause = max(Duration.seconds(1), .clampedSeconds(limit.retryAt.timeIntervalSince(now())))
                waited += pause
                guard waited <= longestWait else { throw .failed(.rateLimited(limit, request)) }
                try await sleep(for: pause, until: limit.retryAt, progress, report)
            } catch {
                let status = error.request?.status
                guard cursor != nil, let request = error.request, let status, [400, 404, 410, 422].contains(status)
                else { throw .failed(error) }
                throw .cursorRefused(request)
            }
        }
    }

    private func reserve(of limit: RateLimitStatus) -> Int { min(max(0, reserve), limit.limit / 10) }

    /// Waits until the rate limit is reset, if only the reserve is left.
    private func waitForReserve(
        _ progress: SweepProgress,
        _ report: @Sendable (SweepProgress) -> Void
    ) async throws(SweepError) {
        guard let limit = source.rateLimit(), limit.remaining <= reserve(of: limit), limit.resetsAt > now() else {
            return
        }
        let wait = Duration.clampedSeconds(limit.resetsAt.timeIntervalSince(now()))
        guard wait <= longestWait else {
            let info = BrowseError.RequestInfo(endpoint: source.identity.query)
            throw .failed(.rateLimited(.init(kind: .primary, retryAt: limit.resetsAt, isServerTime: true), info))
        }
        var progress = progress
        progress.rateLimit = limit
        try await sleep(for: wait, until: limit.resetsAt, progress, report)
    }

    private func sleep(
        for duration: Duration,
        until end: Date,
        _ progress: SweepProgress,
        _ report: @Sendable (SweepProgress) -> Void
    ) async throws(SweepError) {
        report(progress.waiting(until: end))
        guard (try? await clock.sleep(for: duration)) != nil else { throw .failed(.cancelled) }
        report(progress)
    }
}

extension Clock<Duration> {
    /// Returns the duration of an operation.
    fileprivate func time<Failure>(_ body: () async throws(Failure) -> Void) async throws(Failure) -> Duration {
        let start = now
        try await body()
        return start.duration(to: now)
    }
}

/// The progress of a running sweep; see ``Sweep/updates(_:)``.
public struct SweepUpdates: AsyncSequence, Sendable {
    /// The progress, or the error that ended the sweep.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: AsyncStream<SweepProgress>.Iterator
        fileprivate let task: Task<Result<SweepProgress, SweepError>, Never>

        /// Returns the newest progress; `nil` after the end.
        ///
        /// - Throws: The error of the sweep.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SweepError) -> SweepProgress? {
            if let progress = await updates.next(isolation: actor) { return progress }
            // After a cancellation, the sweep has closed its sink when this returns.
            _ = try await task.value.get()
            return nil
        }
    }

    fileprivate typealias Report = @Sendable (SweepProgress) -> Void

    fileprivate let run: @Sendable (@escaping Report) async throws(SweepError) -> SweepProgress

    /// Starts the sweep.
    public func makeAsyncIterator() -> Iterator {
        let (updates, listener) = AsyncStream.makeStream(of: SweepProgress.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            let result: Result<SweepProgress, SweepError>
            do throws(SweepError) {
                result = .success(try await run { listener.yield($0) })
            } catch {
                result = .failure(error)
            }
            listener.finish()
            return result
        }
        listener.onTermination = { _ in task.cancel() }
        return Iterator(updates: updates.makeAsyncIterator(), task: task)
    }
}
