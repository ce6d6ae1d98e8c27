import BrowseData
import BrowseDomain
import Foundation

/// What holds for whatever a call to a repository came to.
func check<Value>(_ result: Result<Value, BrowseError>, _ value: (Value) -> Void = { _ in }) {
    switch result {
    case .success(let found): value(found)
    case .failure(let error): check(error)
    }
}

/// What holds for a page of rows.
func check<Row>(_ page: Page<Row>, of response: Response) {
    require(page.items.count + page.skipped.count <= response.body.count, "a row takes a byte at least")
    for (one, next) in zip(page.skipped, page.skipped.dropFirst()) {
        require(one.index < next.index, "skipped rows are told once, in their order")
    }
    if let last = page.skipped.last {
        require(last.index < page.items.count + page.skipped.count, "a skipped row has its place in the response")
        require(!page.items.isEmpty, "a page of nothing but bad rows is an error")
    }
}

/// The promises of `BrowseError`'s documentation about what a server can put into it.
private func check(_ error: BrowseError) {
    if let info = error.request {
        require(length(info.requestID) <= 64, "a request's number is short")
        require(length(info.serverMessage) <= 200, "a server's words are few")
    }
    switch error {
    case .rateLimited(let limit, _):
        require(limit.retryAt >= now, "a wait does not end before it begins")
        require(limit.retryAt <= now.addingTimeInterval(86_400), "a wait is a day at most")
    case .unusableResponse(.contentType(let type), _):
        require(length(type) <= 100, "a content type is short")
    case .unusableResponse(.decoding(let failure), _):
        require(length(failure.excerpt) <= 120, "an excerpt is short")
        require(failure.codingPath.utf8.count <= 400, "a coding path is short")
    case .signInFailed(.other(let word)):
        require(length(word) <= 60, "GitHub's word is short")
    case .cancelled:
        require(false, "nobody cancelled")
    default:
        break
    }
}

private func length(_ text: String?) -> Int { text?.unicodeScalars.count ?? 0 }
