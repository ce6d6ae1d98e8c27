import BrowseData
import BrowseDomain
import Foundation

/// Checks the invariants of any result of a repository.
func check<Value>(_ result: Result<Value, BrowseError>, _ value: (Value) -> Void = { _ in }) {
    switch result {
    case .success(let found): value(found)
    case .failure(let error): check(error)
    }
}

/// Checks the invariants of a page.
func check<Row>(_ page: Page<Row>, of response: Response) {
    require(page.items.count + page.skipped.count <= response.body.count, "a row takes at least one byte")
    require((page.skipped.first != nil) == (page.skipped.count > 0), "the first skipped row is described")
    require(page.skipped.count == 0 || !page.items.isEmpty, "a page with only faulty rows is an error")
}

/// Checks the ranges of rate limits.
func check(_ statuses: [RateLimitStatus]) {
    for status in statuses {
        require(status.limit >= 0 && status.remaining >= 0, "counts aren't negative")
        require(status.resetsAt >= now, "a reset is in the future")
        require(status.resetsAt <= now.addingTimeInterval(86_400), "a reset is at most a day away")
    }
}

/// Checks the documented limits of `BrowseError`'s texts and times from servers.
private func check(_ error: BrowseError) {
    if let info = error.request {
        require(length(info.requestID) <= 64, "a request ID is short")
        require(length(info.serverMessage) <= 200, "a server's message is short")
    }
    switch error {
    case .rateLimited(let limit, _):
        require(limit.retryAt >= now, "a wait ends in the future")
        require(limit.retryAt <= now.addingTimeInterval(86_400), "a wait is at most a day")
    case .unusableResponse(.contentType(let type), _):
        require(length(type) <= 100, "a content type is short")
    case .unusableResponse(.decoding(let failure), _):
        require(failure.codingPath.utf8.count <= 400, "a coding path is short")
    case .signInFailed(.other(let word)):
        require(length(word) <= 60, "an error code is short")
    case .cancelled:
        require(false, "a call isn't canceled")
    default:
        break
    }
}

private func length(_ text: String?) -> Int { text?.unicodeScalars.count ?? 0 }
