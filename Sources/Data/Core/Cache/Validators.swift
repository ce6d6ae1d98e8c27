import BrowseDomain
import Foundation

/// The validators of a stored response or image, with which the server can confirm it.
///
/// Source: RFC 9110, sections 8.8 and 13.
struct Validators: Sendable {
    /// The entity tag, weak or strong.
    var etag: String?
    /// The date of the last change.
    var lastModified: String?
    /// The URL that sent the version, to which a redirect can lead; `nil` if it isn't known.
    var url: URL?

    init(etag: String?) { self.etag = etag }

    init(_ headers: HTTPHeaders, from url: URL) {
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        self.url = url
    }

    /// The condition of a request; `nil` if there is none.
    var condition: (name: String, value: String)? {
        let condition = etag.map { ("If-None-Match", $0) } ?? lastModified.map { ("If-Modified-Since", $0) }
        // A server could refuse each request with an empty or a very long one.
        guard let condition, (1...1024).contains(condition.1.utf8.count),
            HTTPHeaders.isWellFormed(condition.0, condition.1)
        else { return nil }
        return condition
    }

    /// Returns whether a 304 is for this version (RFC 9111, sections 3.2 and 4.3.4).
    func match(_ confirmation: HTTPHeaders) -> Bool {
        if let other = confirmation["ETag"] { return etag.map(Self.opaque) == Self.opaque(other) }
        guard etag == nil, let other = confirmation["Last-Modified"] else { return true }
        return lastModified == other
    }

    /// The tag without `W/`, which a weak comparison ignores (RFC 9110, section 8.8.3.2).
    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }

    /// Sends a request with the condition, and again without it if that doesn't work.
    ///
    /// A server or a proxy can refuse the condition, such as letters in an ETag, each time. Another
    /// URL, after a redirect, can't confirm a response of this one.
    ///
    /// - Parameter didReject: Called before a 304 is ignored.
    /// - Returns: The response, and whether it confirms the stored one.
    func send(
        _ request: HTTPClient.Request,
        didReject: () -> Void = {},
        by next: HTTPMiddleware.Next
    ) async throws(BrowseError) -> (response: HTTPClient.Response, isConfirmed: Bool) {
        if let condition {
            var conditional = request
            conditional.headers[condition.name] = condition.value
            let result = await Result.of { [conditional] () throws(BrowseError) in try await next(conditional) }
            if ![400, 412, 431].contains((try? result.get())?.status ?? result.failure?.request?.status) {
                let response = try result.get()
                guard response.status == 304 else { return (response, false) }
                let isSource = response.url == url ?? request.url
                if isSource, match(response.headers) { return (response, true) }
                didReject()
            }
        }
        let unconditional = try await next(request)
        return (unconditional, false)
    }
}
