public import BrowseDomain
public import Foundation

/// The position and the counts of an export; the file contains those after its last page.
public struct ExportProgress: Hashable, Codable, Sendable {
    /// The list; see ``ExportSource/list``.
    public let list: String
    /// The account that selects the rows; `nil` if it isn't known yet.
    public internal(set) var account: String?
    /// The next page; `nil` at the beginning and at the end.
    var next: PageCursor?
    /// Whether the pass has reached the end.
    public internal(set) var isComplete = false
    /// The number of the pass, from 1.
    public internal(set) var pass = 1
    /// The number of pages in this pass.
    public internal(set) var pageCount = 0
    /// The number of successive pages without rows that are new in this pass.
    var idlePageCount = 0
    /// The number of stored rows.
    public internal(set) var rowCount = 0
    /// The number of rows in this pass that couldn't be read.
    public internal(set) var skippedCount = 0
    /// The number of rows in the list; `nil` if the server doesn't report it.
    public internal(set) var totalCount: Int?
    /// The number of pages that the service has announced behind the last one; `nil` if it isn't known.
    var pagesLeft: Int?
    /// The first 100 gaps in this pass.
    public internal(set) var gaps: [ExportGap] = []
    /// The end of the wait for a rate limit; `nil` while requests are sent.
    public internal(set) var waitsUntil: Date?

    /// Starts at the first page again.
    mutating func startPass() {
        (pass, next, isComplete, pageCount, idlePageCount) = (pass + 1, nil, false, 0, 0)
        (skippedCount, gaps, pagesLeft) = (0, [], nil)
    }

    /// Returns the progress after a page, without the numbers of its rows.
    func adding<Row>(_ page: Page<Row>, gaps: [ExportGap]) -> ExportProgress {
        var progress = self
        progress.next = page.next
        progress.isComplete = page.next == nil
        progress.pageCount += 1
        progress.skippedCount += page.skipped.count
        progress.totalCount = page.totalCount ?? totalCount
        progress.pagesLeft = page.pagesLeft ?? pagesLeft.map { $0 - 1 }
        let isCut = progress.isComplete && progress.pagesLeft ?? 0 > 0
        // The whole list is named once, however many of its pages lack rows.
        let whole = ExportGap(part: list)
        let isNew = (isCut || page.isPartial) && !self.gaps.contains(whole)
        progress.gaps += (gaps + (isNew ? [whole] : [])).prefix(max(0, 100 - self.gaps.count))
        return progress
    }
}

/// The error of an export; stored pages remain.
public enum ExportError: Error, Hashable, Sendable {
    /// A request or the storage failed, or the export was canceled.
    case failed(BrowseError)
    /// The file has the export of another list, or of another account.
    case otherList(String, account: String?)
    /// The file isn't an export, or has an unknown format.
    case foreignFile(name: String)
    /// Another export is writing the file, in this process or in another one.
    case inUse(name: String)
    /// The server refuses the stored position (400, 404, 410, or 422); another pass helps.
    case positionRefused(BrowseError.RequestInfo)
    /// The server continues the list, but this number of successive pages had no new rows.
    case repeatsItself(pages: Int)
}
