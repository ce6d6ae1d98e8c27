/// The route of a request.
///
/// Responses below `/delay/50` wait for 50 milliseconds, and their links have the same prefix.
struct Route: Sendable {
    /// The path before `/users` or `/user`, which links repeat.
    let base: String
    /// The delay of the response in milliseconds.
    let delay: Int
    /// The page, from 1.
    let page: Int

    /// Parses `[/delay/N]/users/LOGIN/followers` and `[/delay/N]/user/ID/followers`; `nil` for other paths.
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
