public import BrowseDomain
public import Foundation

extension BrowseError {
    /// Creates the error for a response whose status is outside 200 to 299 (RFC 9110, section 15).
    ///
    /// Every service without a `failure` of its own uses this. Status 429 becomes `.rateLimited`, until the time of its `Retry-After`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - info: The request.
    ///   - now: The current time, from which the wait is counted.
    public init(_ response: HTTPResponse, info: RequestInfo, now: Date) {
        switch response.status {
        case 429: self = .rateLimited(RateLimit(response.headers, now: now), info)
        default: self = BrowseError(status: response.status, info: info)
        }
    }

    /// Creates the error for a status outside 200 to 299 (RFC 9110, section 15), without regard to waits.
    public init(status: Int, info: RequestInfo) {
        switch status {
        case 401: self = .unauthorized(info)
        case 403: self = .forbidden(info)
        case 404, 410: self = .notFound(info)
        case 400..<500: self = .rejected(info)
        case 500..<600: self = .serverFailure(info)
        default: self = .unusableResponse(.status, info)
        }
    }
}

extension BrowseError.RateLimit {
    /// The wait that a service with one limit asks for: until its `Retry-After` (RFC 9110, section 10.2.3), or 60 seconds.
    ///
    /// The wait is at most a day. A time that has passed is now.
    public init(_ headers: HTTPHeaders, now: Date) {
        let serverTime = RetryAfter.date(headers, now: now)
        self.init(
            kind: .primary,
            retryAt: serverTime.map { max($0, now) } ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }
}

extension HTTPClient.Service {
    /// The error for a response whose status is outside 200 to 299.
    func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        failure?(response, info) ?? BrowseError(response, info: info, now: now)
    }
}
