#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Loads a paged list to its end, into a sink, and can be stopped and resumed at any time.
///
/// ```swift
/// let sweep = container.sweep(container.sweepSource(of: .followers(of: login)), into: file)
/// for try await progress in sweep.updates() { print(progress.rowCount) }
/// ```
///
/// It sends one request at a time, with the lowest priority, bypasses the response cache, and waits for rate limits. Rows are
/// unique by identifier. When a row of an earlier page disappears meanwhile, later ones move forward, and one can be missed at
/// the boundary of two pages; a second pass finds it.
public struct Sweep<Row: Sendable>: Sendable {
    private let source: SweepSource<Row>
    private let sink: any SweepSink<Row>
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    /// The number of requests of the rate limit to leave to screens, but at most a tenth of the limit.
    public var reserve: Int = 500
    /// The longest wait of a request for rate limits.
    ///
    /// A sweep that would wait longer fails with `.failed(.rateLimited)`.
    public var longestWait: Duration = .seconds(7200)

    /// The maximum number of successive pages without rows; a server can link to ever-new ones.
    ///
    /// Dividing a search down to single values, twice in succession, takes fewer than 250.
    private static var maxEmptyPages: Int { 500 }

    /// Creates a sweep; it starts with ``run(again:report:)`` or ``updates(again:)``.
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

    /// Loads all pages that aren't stored, and returns the final progress.
    ///
    /// - Parameters:
    ///   - again: Whether to start at the first page for another pass, which stores only rows that aren't stored. Pages that the
    ///     server confirms (304) aren't transferred, but some services count them as requests.
    ///   - report: Receives the progress at the start, after each page, and when a wait begins or ends.
    /// - Throws: `SweepError`: `.failed(.cancelled)` if the task is canceled. Stored pages remain.
    @discardableResult
    public nonisolated(nonsending) func run(
        again: Bool = false,
        report: (SweepProgress) -> Void = { _ in }
    ) async throws(SweepError) -> SweepProgress {
        // A sink that can't be opened may be in use by another run, so it isn't closed.
        let stored = try await sink.open()
        var progress = stored ?? SweepProgress(list: source.list)
        do throws(SweepError) {
            guard progress.list == source.list else { throw progress.otherSweep }
            progress.startRun()
            if again, stored != nil { progress.startPass() }
            try await load(&progress, report)
        } catch {
            await sink.close()
            throw error
        }
        await sink.close()
        return progress
    }

    /// Starts ``run(again:report:)``, and delivers the newest progress, or throws its `SweepError`.
    ///
    /// Ending the iteration stops the sweep. A sweep that starts before the page in flight ends throws `.inUse`.
    public func updates(again: Bool = false) -> AsyncThrowingStream<SweepProgress, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { updates in
            let task = Task {
                do throws(SweepError) {
                    try await run(again: again) { updates.yield($0) }
                    updates.finish()
                } catch {
                    updates.finish(throwing: error)
                }
            }
            updates.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns the expected numbers of rows and requests, after one request; stores nothing.
    public func estimate() async throws(SweepError) -> SweepProgress {
        var progress = SweepProgress(list: source.list)
        _ = try await loadPage(&progress) { _ in }
        return progress
    }

    private nonisolated(nonsending) func load(
        _ progress: inout SweepProgress,
        _ report: (SweepProgress) -> Void
    ) async throws(SweepError) {
        report(progress)
        let (start, firstRow) = (now(), progress.rowCount)
        var emptyCount = 0
        while !progress.isComplete {
            guard !Task.isCancelled else { throw .failed(.cancelled) }
            let known = progress.pass > 1 ? try await sink.visit(at: progress.next) : nil
            let (rows, visit) = try await loadPage(&progress, known, report)
            let counted = progress
            progress.rowCount = try await sink.store(rows, of: visit) { counted.storing($0) }.rowCount
            let seconds = now().timeIntervalSince(start) - progress.waited / .seconds(1)
            let reserve = progress.rateLimit.map(reserve) ?? 0
            progress.estimateEnd(rows: progress.rowCount - firstRow, in: seconds, reserve: reserve, now: now())
            report(progress)
            emptyCount = visit.rowCount == 0 ? emptyCount + 1 : 0
            guard progress.isComplete || emptyCount < Self.maxEmptyPages else {
                let info = BrowseError.RequestInfo(endpoint: source.endpoint)
                throw .failed(.unusableResponse(.tooManyPages(limit: Self.maxEmptyPages), info))
            }
        }
    }

    /// Loads and counts the next page; without rows if the server confirms the known visit.
    private nonisolated(nonsending) func loadPage(
        _ progress: inout SweepProgress,
        _ known: SweepVisit? = nil,
        _ report: (SweepProgress) -> Void
    ) async throws(SweepError) -> ([(id: String, row: Row)], SweepVisit) {
        let cursor = progress.next
        let page = try await response(&progress, known?.validator, report)
        if let page {
            if progress.pass == 1, progress.pageCount == 0 { progress.account = page.account }
            guard page.account == progress.account else { throw progress.otherSweep }
        }
        let visit = page.map { SweepVisit($0, at: cursor) } ?? known ?? SweepVisit(cursor: cursor)
        progress.add(page, visit)
        progress.rateLimit = source.rateLimit()
        return ((page?.page.items ?? []).map { (source.id($0), $0) }, visit)
    }

    /// Requests the next page until no rate limit refuses it.
    private nonisolated(nonsending) func response(
        _ progress: inout SweepProgress,
        _ validator: String?,
        _ report: (SweepProgress) -> Void
    ) async throws(SweepError) -> SweepPage<Row>? {
        let cursor = progress.next
        var waited = Duration.zero
        while true {
            do throws(BrowseError) {
                progress.rateLimit = source.rateLimit()
                if let limit = progress.rateLimit, limit.remaining <= reserve(of: limit), limit.resetsAt > now() {
                    throw .rateLimited(
                        BrowseError.RateLimit(kind: .primary, retryAt: limit.resetsAt, isServerTime: true),
                        BrowseError.RequestInfo(endpoint: source.endpoint)
                    )
                }
                // Longer waits are reported and limited here. With zero, the request would skip the queue.
                let options = LoadOptions(priority: .prefetch, longestWait: .seconds(1))
                return try await options.load { () throws(BrowseError) in try await source.load(cursor, validator) }
                    .value
            } catch .rateLimited(let limit, let request) {
                let pause = max(Duration.seconds(1), .clampedSeconds(limit.retryAt.timeIntervalSince(now())))
                waited += pause
                guard waited <= longestWait else { throw .failed(.rateLimited(limit, request)) }
                progress.waitsUntil = limit.retryAt
                report(progress)
                guard (try? await clock.sleep(for: pause)) != nil else { throw .failed(.cancelled) }
                progress.waitsUntil = nil
                progress.waited += pause
                report(progress)
            } catch {
                guard cursor != nil, let request = error.request, let status = request.status,
                    [400, 404, 410, 422].contains(status)
                else { throw .failed(error) }
                throw .cursorRefused(request)
            }
        }
    }

    private func reserve(of limit: RateLimitStatus) -> Int { min(max(0, reserve), limit.limit / 10) }
}
