/// What a request's path asks for.
///
/// The API may stand below a path: below `/delay/50`, every response waits for 50 milliseconds, and its links stay there.
struct Route: Sendable {
    /// The path before `/users` or `/user`, as the links repeat it.
    let base: String
    /// The wait before the response, in milliseconds.
    let delay: Int
    /// The page, from 1.
    let page: Int

    /// Reads `[/delay/N]/users/LOGIN/followers` and `[/delay/N]/user/ID/followers`; `nil` for anything else.
    init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1)
        var segments = (parts.first ?? "").split(separator: "/")[...]
        var delay = 0
        if segments.first == "delay" {
            guard let milliseconds = segments.dropFirst().first.flatMap({ Int($0) }) else { return nil }
            delay = milliseconds
            segments = segments.dropFirst(2)
        }
        guard segments.count == 3, segments.first == "users" || segments.first == "user", segments.last == "followers"
        else { return nil }
        let query = parts.count == 2 ? parts[1].split(separator: "&") : []
        let page = query.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) } ?? 1
        guard query.contains("per_page=\(Followers.rowsPerPage)"), (1...Followers.pageCount).contains(page) else {
            return nil
        }
        base = delay == 0 ? "" : "/delay/\(delay)"
        self.delay = delay
        self.page = page
    }
}
