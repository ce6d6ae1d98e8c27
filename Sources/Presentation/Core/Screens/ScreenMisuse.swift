package import BrowseDomain
package import Foundation

/// Reports calls without effect to tests, such as for a row that a screen doesn't have.
///
/// A class, since a function alone can't be task-local in optimized code (Decision 6).
package final class ScreenMisuse: Sendable {
    /// Receives the reports in the scope of a test; `nil` elsewhere.
    @TaskLocal package static var receiver: ScreenMisuse?

    /// The place of a call.
    package typealias Place = (fileID: String, filePath: String, line: Int)

    private let report: @Sendable (_ text: String, _ place: Place?, _ isHint: Bool) -> Void

    package init(report: @escaping @Sendable (_ text: String, _ place: Place?, _ isHint: Bool) -> Void) {
        self.report = report
    }

    /// Reports a misuse; returns whether a test receives it.
    ///
    /// - Parameter isHint: Whether it's one only for a test that fails, since another can mean it.
    @discardableResult
    package static func record(_ text: String, at place: Place? = nil, isHint: Bool = false) -> Bool {
        receiver?.report(text, place, isHint) != nil
    }

    /// Reports a row only to tests, since in an app, it can disappear before a tap is handled.
    static func record<Row: ListRow>(unknownRow id: Row.ID, of list: PagedList<Row>, by method: String) {
        guard receiver != nil, list.row(id) == nil else { return }
        let ids = list.rows.prefix(5).map { "\($0.id)" } + (list.rows.count > 5 ? ["… (\(list.rows.count) rows)"] : [])
        let rows = ids.isEmpty ? "It has no rows; await its load." : "Its ids are \(ids.joined(separator: ", "))."
        record("\(method) did nothing: the list has no row with the id \(id). \(rows)")
    }

    /// Reports a kind that no service of the container has.
    static func record(unknownKind kind: Favorite.Kind) {
        let remedy = "Add its service to the container's services, or the kind to Configuration.favoriteKinds."
        record("Favorites of the kind \"\(kind.rawValue)\" have no route: the container doesn't know it. \(remedy)")
    }

    static func record(atStart generation: Int, by call: String = #function) {
        guard generation == 0 else { return }
        record("\(call) did nothing: the screen shows nothing yet. Await show(_:) or submit() first.")
    }

    /// Returns the line about a URL that a sign-in ignores, whose path and query may be secret.
    package static func ignored(_ url: URL, for redirect: URL, _ problem: BrowseError.CallbackProblem) -> String {
        let place = "\(url.scheme ?? ""):\(url.host().map { "//\($0)" } ?? "")"
        let isNear = url.scheme == redirect.scheme && url.host() == redirect.host()
        let difference = isNear ? "its port, path, or query differs: " : ""
        let address = "\(difference)the app's redirect is \(redirect.absoluteString)"
        let state = "its state isn't that of the page: both calls need one view model, or its pending"
        return "finishSignIn(with:) ignored a URL at \(place), since \(problem == .wrongState ? state : address)."
    }

    /// Returns the line about a sign-in that lacks a part of the configuration.
    package static func missing(_ part: String) -> String {
        "A sign-in needs \(part). OAuthApp is `app` of the service's settings in Configuration."
    }

    /// Reports parts of a screen with the same id.
    static func check(_ parts: String, _ ids: [String]) {
        guard receiver != nil else { return }
        for (id, same) in Dictionary(grouping: ids, by: \.self) where same.count > 1 {
            record("Several \(parts) have the id \(id), so front ends can't tell them apart. Give each its own.")
        }
    }

    /// Reports a mark that a screen doesn't have, such as `favorite`.
    static func record(without mark: String, remedy: String) {
        note("The mark \"\(mark)\" wasn't changed: the screen doesn't have it. \(remedy)", isHint: false)
    }

    /// Reports a loop that calls `loadMore()` without effect, and would never end.
    ///
    /// - Parameters:
    ///   - calls: The calls in a row before this one that loaded no page.
    ///   - isIdle: Whether this one loaded none of a list with more pages.
    ///   - end: Empties the list of a test, whose loop ends, since it has no more pages.
    /// - Returns: The calls with this one.
    @MainActor
    static func count(_ calls: Int, isIdle: Bool, end: @MainActor () -> Void) -> Int {
        guard isIdle else { return 0 }
        let remedy = "Loop while canLoadMore && !Task.isCancelled, or call loadAll(upTo:); retry() loads what failed."
        if calls == 99 {
            note("100 calls of loadMore() loaded nothing, though hasMore is true. \(remedy)", isHint: false)
            if receiver != nil { end() }
        }
        return calls + 1
    }

    /// Reports a misuse to a test, or else on standard error in a debug build.
    static func note(_ text: String, isHint: Bool = true) { if !record(text, isHint: isHint) { write(text) } }

    /// Writes on standard error in a debug build.
    private static func write(_ text: String) {
        #if DEBUG
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(text)\n".utf8))
        #endif
    }
}
