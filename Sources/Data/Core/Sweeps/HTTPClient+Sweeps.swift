public import BrowseDomain
import Foundation

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
        let url = try? first?.url(below: baseURL, info: BrowseError.RequestInfo(endpoint: ""))
        let query = url.map { $0.path() + ($0.query().map { "?" + $0 } ?? "") } ?? first?.name ?? ""
        let identity = SweepIdentity(service: service, baseURL: baseURL, query: redactor.redact(query))
        return SweepSource(identity, id: id) { [rateLimits, bucket = first?.bucket] in
            rateLimits?.statuses.first { $0.bucket == bucket }
        } load: { [self] cursor, validator throws(BrowseError) in
            do throws(BrowseError) {
                let exchange = try await send(endpoint(cursor).forSweep(confirming: validator))
                var page = page(exchange.value, cursor)
                (page.account, page.validator) = (exchange.account, exchange.validator)
                return page
            } catch {
                guard validator != nil, error.request?.status == 304 else { throw error }
                return nil
            }
        }
    }
}

/// A response of a sweep, with its account and validator.
private struct SweepExchange<Value: Sendable>: Sendable {
    let value: Value
    let account: String?
    let validator: String?
}

extension Endpoint {
    /// Returns the endpoint with a validator, and without the response cache (RFC 9111, section 5.2.1.5).
    fileprivate func forSweep(confirming validator: String?) -> Endpoint<SweepExchange<Response>> {
        var headers = headers
        headers["Cache-Control"] = "no-store"
        headers["If-None-Match"] = validator
        let location: Endpoint<SweepExchange<Response>>.Location =
            switch location {
            case .path(let path): .path(path)
            case .page(let cursor, of: let list, within: .samePath): .page(cursor, of: list)
            case .page(let cursor, of: let list, within: .sameCollection):
                .page(cursor, of: list, within: .sameCollection)
            }
        return Endpoint<SweepExchange<Response>>(
            method: method,
            location,
            query: query.map { .init($0.name, $0.value) },
            headers: headers,
            body: body,
            bucket: bucket,
            isSafeToRepeat: isSafeToRepeat
        ) { [decode] response in
            let validator = response.headers["ETag"]
            return SweepExchange(value: try decode(response), account: response.account, validator: validator)
        }
    }
}
