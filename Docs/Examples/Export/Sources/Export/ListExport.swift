import BrowseDomain
public import Foundation

/// Loads a paged list to its end, into a file, and can be stopped and resumed at any time.
///
/// ```swift
/// let export = ListExport(container.exportSource(of: .followers(of: login)), to: .jsonLines(at: file))
/// try await export.run { progress in print(progress.rowCount) }
/// ```
///
/// It sends one request at a time, and sleeps until rate limits end. Rows are unique by identifier. When a row of an earlier page
/// disappears meanwhile, later ones move forward, and one can be missed at the boundary of two pages; a second pass finds it.
public struct ListExport<Row: Encodable & Sendable>: Sendable {
    private let source: ExportSource<Row>
    private let file: ExportFile
    private let longestWait: Duration
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>

    /// Creates an export, which isn't started.
    ///
    /// - Parameters:
    ///   - source: The list.
    ///   - file: The file, which is continued if it exists.
    ///   - longestWait: The longest wait of a page for rate limits.
    ///   - now: Returns the current time, which is compared with the end of rate limits.
    ///   - clock: Measures waits.
    public init(
        _ source: ExportSource<Row>,
        to file: ExportFile,
        longestWait: Duration = .seconds(7200),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.file = file
        self.longestWait = longestWait
        self.now = now
        self.clock = clock
    }

    /// Loads all pages that aren't stored, and returns the final progress.
    ///
    /// - Parameters:
    ///   - again: Whether to start at the first page for another pass, which adds missing rows and replaces others.
    ///   - report: Receives the progress at the start, after each page, and when a wait begins or ends.
    /// - Throws: `ExportError`: `.failed(.cancelled)` if the task is canceled. Stored pages remain.
    @concurrent
    @discardableResult
    public func run(
        again: Bool = false,
        report: @Sendable (ExportProgress) async -> Void = { _ in }
    ) async throws(ExportError) -> ExportProgress {
        let store = try ExportStore(file)
        var progress = try store.progress() ?? ExportProgress(list: source.list)
        guard progress.list == source.list else { throw .otherList(progress.list, account: progress.account) }
        if again, progress.pageCount > 0 { progress.startPass() }
        do throws(ExportError) {
            try await load(&progress, store, report)
        } catch {
            // The rows until the failure; the next run replaces the file. Without any, such as of a misspelled name, there
            // is no file that another export would have to continue.
            if progress.pageCount + progress.rowCount == 0 { store.discard() } else { try? store.writeLines() }
            throw error
        }
        try store.writeLines()
        return progress
    }

    private func load(
        _ progress: inout ExportProgress,
        _ store: ExportStore,
        _ report: (ExportProgress) async -> Void
    ) async throws(ExportError) {
        await report(progress)
        // A complete export can be that of another account, too.
        if let account = progress.account {
            let current: String?
            do throws(BrowseError) { current = try await source.account() } catch { throw .failed(error) }
            guard current == account else { throw .otherList(progress.list, account: account) }
        }
        while !progress.isComplete {
            guard !Task.isCancelled else { throw .failed(.cancelled) }
            let (loaded, account) = try await page(at: progress, report)
            guard progress.account == nil || progress.account == account else {
                throw .otherList(progress.list, account: progress.account)
            }
            progress.account = account
            progress = try store.store(
                loaded.page.items.map { (source.id($0), $0) },
                progress.adding(loaded.page, gaps: loaded.gaps)
            )
            await report(progress)
            guard progress.isComplete || progress.idlePageCount < source.pageLimit else {
                throw .repeatsItself(pages: progress.idlePageCount)
            }
        }
    }

    /// Requests the next page, and the account of the request, until no rate limit refuses it.
    private func page(
        at progress: ExportProgress,
        _ report: (ExportProgress) async -> Void
    ) async throws(ExportError) -> (ExportSource<Row>.Part, account: String?) {
        var (waited, refusals) = (Duration.zero, 0)
        while true {
            do throws(BrowseError) {
                let part = try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                    try await source.load(progress.next)
                }
                // After the request, so that a session that began meanwhile is noticed.
                return (part.value, try await source.account())
            } catch .rateLimited(let limit, let request) {
                refusals += 1
                // A server that refuses again at that time gets longer pauses.
                let seconds = max(Double(refusals), min(limit.retryAt.timeIntervalSince(now()), 1e9))
                waited += .seconds(seconds)
                guard waited <= longestWait else { throw .failed(.rateLimited(limit, request)) }
                var waiting = progress
                waiting.waitsUntil = now() + seconds
                await report(waiting)
                guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { throw .failed(.cancelled) }
                await report(progress)
            } catch {
                let refused: Set = [400, 404, 410, 422]
                guard progress.next != nil, let request = error.request, let status = request.status,
                    refused.contains(status)
                else { throw .failed(error) }
                throw .positionRefused(request)
            }
        }
    }
}
