public import BrowseDomain
public import Foundation

extension BrowseError {
    /// Creates the error for a response with a status outside 200 to 299 (RFC 9110, section 15).
    ///
    /// It is the default for services without their own `failure`. Status 429 becomes `.rateLimited`, with the time in
    /// `Retry-After`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - info: The request.
    ///   - now: The current time, from which waits are measured.
    public init(_ response: HTTPClient.Response, info: RequestInfo, now: Date) {
        switch response.status {
        case 429: self = .rateLimited(RateLimit(response.headers, now: now), info)
        default: self = BrowseError(status: response.status, info: info)
        }
    }

    /// Creates the error for a status outside 200 to 299 (RFC 9110, section 15), without rate limits.
    public init(status: Int, info: RequestInfo) {
        switch status {
        case 401: self = .unauthorized(info)
        case 403: self = .forbidden(info)
        case 451:
            var info = info
            info.denial = info.denial ?? .legalReasons(nil)
            self = .forbidden(info)
        case 404, 410: self = .notFound(info)
        case 400..<500: self = .rejected(info)
        case 500..<600: self = .serverFailure(info)
        default: self = .unusableResponse(.status, info)
        }
    }
}

extension HTTPClient.Response {
    /// Returns a transport's response, or throws if its status isn't a final one.
    ///
    /// Source: RFC 9110, section 15.
    package func validated(for request: HTTPClient.Request) throws(BrowseError) -> HTTPClient.Response {
        guard (200..<600).contains(status) else { throw .unusableResponse(.status, request.info) }
        return self
    }
}

extension HTTPClient.Response {
    /// The lowercase schemes in `WWW-Authenticate`.
    fileprivate var challengeSchemes: [String] {
        // Without quoted strings, which can contain commas.
        let text = (headers["WWW-Authenticate"] ?? "").split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        return text.split(separator: ",").compactMap { part in
            let word = part.split(whereSeparator: \.isWhitespace).first?.lowercased()
            // A parameter isn't a scheme.
            return word.flatMap { $0.contains("=") ? nil : $0 }
        }
    }
}

extension BrowseError.RateLimit {
    /// Creates the rate limit of a response from `Retry-After`, by default 60 seconds.
    ///
    /// The wait is at most a day. A time in the past becomes the current time. Source: RFC 9110, section 10.2.3.
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
    /// Returns whether a response comes from a service, judging by its head.
    ///
    /// A 401 does if it's JSON, or has no challenge but `Bearer`: proxies and gateways challenge for credentials of their own, such
    /// as with `Basic` or `Negotiate` (RFC 9110, section 11.6.1). A 407 or 511 never does. All other responses do.
    public static func isOwnResponse(_ response: HTTPClient.Response) -> Bool {
        guard ![407, 511].contains(response.status) else { return false }
        return response.status != 401 || response.mediaType.map(HTTPClient.Response.isJSON) == true
            || response.challengeSchemes.allSatisfy { $0 == "bearer" }
    }

    /// Returns whether a response comes from a service of JSON, judging by its head.
    ///
    /// Unlike ``isOwnResponse(_:)``, a web page doesn't if the status is a success, 403, or 421, as those of filters and captive
    /// portals. With another status, it can be the service's.
    public static func isOwnJSONResponse(_ response: HTTPClient.Response) -> Bool {
        let mayBePage = !(200..<300).contains(response.status) && ![403, 421].contains(response.status)
        return isOwnResponse(response)
            && (mayBePage || response.body.isEmpty || response.mediaType != "text/html")
    }

    func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        failure?(response, info) ?? BrowseError(response, info: info, now: now)
    }
}
