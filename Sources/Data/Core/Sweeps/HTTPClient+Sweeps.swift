public import BrowseDomain
import Foundation
import Synchronization

extension HTTPClient {
    /// Returns the source of a sweep of any paged endpoint.
    ///
    /// Its requests neither read nor fill the response cache. The next page's URL must have the origin of the base URL, as in all
    /// endpoints.
    ///
    /// - Parameters:
    ///   - service: The name of the service, for the checkpoint.
    ///   - id: Returns the text that identifies a row in the list.
    ///   - endpoint: Returns the endpoint of the page at a cursor; `nil` is the first page.
    ///   - page: Returns the page in a response; the cursor is the page's own.
    public func sweepSource<Response, Row>(
        of service: String,
        id: @escaping @Sendable (Row) -> String,
        endpoint: @escaping @Sendable (PageCursor?) throws(BrowseError) -> Endpoint<Response>,
        page: @escaping @Sendable (Response, PageCursor?) -> SweepPage<Row>
    ) -> SweepSource<Row> {
        // An endpoint without a URL fails when it's sent.
        let first = try? endpoint(nil)
        let url = (try? first?.url(below: baseURL, info: BrowseError.RequestInfo(endpoint: ""))) ?? baseURL
        let list = redactor.redact("\(service): \(url.absoluteString)")
        var source = SweepSource(list, id: id) { [rateLimits, bucket = first?.bucket] in
            rateLimits?.statuses.first { $0.bucket == bucket }
        } load: { [self] cursor, validator throws(BrowseError) in
            var endpoint = try endpoint(cursor)
            // Without the response cache (RFC 9111, section 5.2.1.5).
            endpoint.headers["Cache-Control"] = "no-store"
            endpoint.headers["If-None-Match"] = validator
            let head = ResponseHead()
            endpoint.decode = { [decode = endpoint.decode] response in
                head.values.withLock { $0 = (response.account, response.headers["ETag"]) }
                return try decode(response)
            }
            do throws(BrowseError) {
                var result = page(try await send(endpoint), cursor)
                (result.account, result.validator) = head.values.withLock { $0 }
                return result
            } catch {
                guard validator != nil, error.request?.status == 304 else { throw error }
                return nil
            }
        }
        source.endpoint = first?.name ?? source.endpoint
        return source
    }
}

/// The parts of a decoded response that its value doesn't have.
private final class ResponseHead: Sendable {
    let values = Mutex<(account: String?, validator: String?)>((nil, nil))
}
