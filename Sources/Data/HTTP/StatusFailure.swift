import BrowseDomain
import Foundation

extension BrowseError {
    /// What a status outside 200 to 299 means for any service (RFC 9110, section 15).
    ///
    /// Each service looks first for what it means by a status of its own, such as a wait that it asks for.
    init(status: Int, info: RequestInfo) {
        switch status {
        case 401: self = .unauthorized(info)
        case 403: self = .forbidden(info)
        case 404, 410: self = .notFound(info)
        case 400..<500: self = .rejected(info)
        case 500..<600: self = .serverFailure(info)
        default: self = .unusableReply(.status, info)
        }
    }
}

extension BrowseError.RateLimit {
    /// The wait that a service with one limit asks for: until its `Retry-After`, or 60 seconds.
    ///
    /// A time that has passed is now.
    init(_ headers: HTTPHeaders, now: Date) {
        let serverTime = RetryAfter.date(headers, now: now)
        self.init(
            kind: .primary,
            retryAt: serverTime.map { max($0, now) } ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }
}
