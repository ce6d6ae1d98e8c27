public import BrowseDomain
public import Foundation

extension HTTPClient {
    /// A service's base URL, its header fields, and the meaning of its failures.
    public struct Service: Sendable {
        /// The base URL of all endpoints, such as `https://api.example.com`.
        public var baseURL: URL
        /// The header fields of every request; those of an endpoint can replace them.
        public var headers: HTTPHeaders
        /// The names of the service's own header fields with credentials, such as `X-Api-Key`.
        ///
        /// Recordings mask them, and they aren't cached. Like ``carriesSecrets``, they require a
        /// base URL that uses https or is on this device.
        public var credentialFields: Set<String> = []
        /// The names of the service's query items with credentials, such as `api_key`.
        ///
        /// Recordings mask them. Responses to requests with one aren't cached, and the base URL
        /// must be private, as for ``credentialFields``.
        public var credentialQueryItems: Set<String> = []
        /// The header field with a response's identifier, for the service's support team.
        public var requestIDHeader: String?
        /// The evidence that an error is the service's own word.
        ///
        /// The default is ``Evidence/json(alsoAs:scheme:realm:)``.
        public var evidence: Evidence = .json()
        /// Requests the limits, which must not count toward one; `nil` if the service doesn't
        /// report them.
        ///
        /// When a person tries again over a limit, it's requested first.
        public var rateLimitReport: Endpoint<RateLimitReport>?
        /// Whether requests contain secrets, which requires a base URL that uses https or is on
        /// this device.
        ///
        /// `nil`, the default, requires it of clients with tokens, and with `Authorization` in
        /// ``headers``.
        public var carriesSecrets: Bool?
        /// Header fields that events show beside common ones, such as `X-RateLimit-Remaining`.
        public var shownHeaders: Set<String> = []
        /// Query items that events show beside common ones, such as `q` beside `page`.
        public var shownQueryItems: Set<String> = []
        /// Returns the status that a response means; by default, it's the one that it has.
        ///
        /// Some services send 401, which ends a session, for a missing permission (403), or 400 or
        /// 200 for an expired token (401), a limit (429), or a missing resource (404). A 304 has no
        /// body, and confirms a cached response only if it stays one.
        public var status: @Sendable (HTTPClient.Response) -> Int = { $0.status }
        /// Returns the error for a status outside 200 to 299; `nil` uses
        /// `BrowseError.init(_:info:now:)`.
        ///
        /// The date is the current time by the client's options, from which waits are measured.
        public var failure: (@Sendable (HTTPClient.Response, BrowseError.RequestInfo, Date) -> BrowseError)?

        /// Creates a JSON service without authorization.
        ///
        /// - Parameters:
        ///   - baseURL: The base URL of all endpoints.
        ///   - userAgent: The name of the app; many services also require a contact.
        public static func json(baseURL: URL, userAgent: String) -> Service {
            Service(baseURL: baseURL, headers: ["Accept": "application/json", "User-Agent": userAgent])
        }

        /// Creates a service; by default, its requests and responses contain no secrets.
        public init(
            baseURL: URL,
            headers: HTTPHeaders,
            failure: (@Sendable (HTTPClient.Response, BrowseError.RequestInfo, Date) -> BrowseError)? = nil
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.failure = failure
        }

        /// ``credentialFields`` and ``credentialQueryItems`` in lowercase.
        var credentialNames: Set<String> { Set(credentialFields.union(credentialQueryItems).map { $0.lowercased() }) }
    }
}

extension HTTPClient.Service {
    /// The reason that a service can't be used; its raw value is a sentence for developers.
    public enum Problem: String, LocalizedError, CustomStringConvertible, Hashable, Sendable, CaseIterable {
        /// The base URL doesn't begin with `http://` or `https://` in lowercase.
        case unsupportedScheme = "The base URL doesn't begin with http:// or https:// in lowercase."
        /// The base URL has no host, or an invalid port.
        case missingHost = "The base URL has no host, or an invalid port."
        /// The base URL contains a username or password, which caches and logs would contain, too.
        case userInfo = "The base URL contains a username or password."
        /// The base URL has a query or fragment, so paths can't be appended.
        case queryOrFragment = "The base URL has a query or fragment."
        /// The base URL's path has an empty segment, or one that is `.` or `..`.
        case ambiguousPath = "The base URL's path has an empty segment, or one that is . or .. only."
        /// The name of a header field isn't a token, or its value contains a control character.
        case unusableHeader = "The name or value of a header field contains a character that isn't allowed."
        /// Requests contain secrets, and the base URL neither uses https nor is on this device.
        case insecureConnection = "The base URL must use https, because requests contain secrets."

        /// The raw value.
        public var errorDescription: String? { rawValue }
        /// The raw value.
        public var description: String { rawValue }
    }

    /// Checks whether requests to the service can be sent.
    ///
    /// - Throws: The first problem that is found. A client refuses every request to an invalid
    ///   service.
    public func validate() throws(Problem) {
        let text = baseURL.absoluteString
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { throw .unsupportedScheme }
        let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#\\".contains($0) }
        guard !authority.contains("@"), parts?.user == nil, parts?.password == nil else { throw .userInfo }
        guard let origin = Origin(baseURL) else { throw .missingHost }
        guard !text.contains("?"), !text.contains("#") else { throw .queryOrFragment }
        var path = baseURL.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.contains("//"), !path.hasDotSegment else { throw .ambiguousPath }
        guard headers.areWellFormed else { throw .unusableHeader }
        guard carriesSecrets != true && !hasKey || origin.isPrivate else { throw .insecureConnection }
    }

    /// Whether requests contain credentials of the service's own, such as the app's key.
    var hasKey: Bool { !credentialNames.isEmpty || headers["Authorization"] != nil }

    func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        failure?(response, info, now) ?? BrowseError(response, info: info, now: now)
    }
}

extension BrowseError {
    /// Creates the error for a response with a status outside 200 to 299 (RFC 9110, section 15).
    ///
    /// It is the default for services without their own `failure`. Status 429 becomes
    /// `.rateLimited`, with the time in `Retry-After`. The reason of problem details (RFC 9457) is
    /// in the request's `serverMessage`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - info: The request.
    ///   - now: The current time, from which waits are measured.
    public init(_ response: HTTPClient.Response, info: RequestInfo, now: Date) {
        let info = response.problemReason.map { info.reporting($0) } ?? info
        switch response.status {
        case 429: self = .rateLimited(RateLimit(response.headers, now: now), info)
        default: self = BrowseError(status: response.status, info: info)
        }
    }

    /// Creates the error for a status outside 200 to 299 (RFC 9110, section 15), without rate
    /// limits.
    ///
    /// If the information has the rejection `.pageLimit` or `.appVersion`, it's `.rejected`,
    /// whatever the status: that isn't about a permission or the resource.
    public init(status: Int, info: RequestInfo) {
        switch status {
        case _ where info.rejection == .pageLimit || info.rejection == .appVersion: self = .rejected(info)
        case 401: self = .unauthorized(info)
        case 403: self = .forbidden(info)
        case 451: self = .forbidden(modified(info) { $0.denial = $0.denial ?? .legalReasons(nil) })
        case 404, 410: self = .notFound(info)
        // The request can be repeated (RFC 9110, section 15.5.9; RFC 8470, section 5.2).
        case 408, 425: self = .timedOut(info)
        case 400..<500: self = .rejected(info)
        case 500..<600: self = .serverFailure(info)
        default: self = .unusableResponse(.status, info)
        }
    }
}

extension BrowseError.RateLimit {
    /// Creates the rate limit of a response from `Retry-After`, by default 60 seconds.
    ///
    /// If nothing remains by `X-RateLimit-Remaining`, the default is the time in
    /// `X-RateLimit-Reset`. The wait is at most a day. A time in the past becomes the current time.
    /// Source: RFC 9110, section 10.2.3.
    public init(_ headers: HTTPHeaders, now: Date) {
        let isExhausted = RetryAfter.field("Remaining", in: headers).flatMap { Double($0) } == 0
        let reset = isExhausted ? RetryAfter.resetDate(headers, now: now) : nil
        let serverTime = RetryAfter.date(headers, now: now) ?? reset
        self.init(
            kind: .primary,
            retryAt: serverTime.map { max($0, now) } ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }
}

extension HTTPClient.Service {
    /// The evidence that an error is the service's own word.
    ///
    /// Proxies, gateways, and captive portals respond in a service's place. Of a success, the shape
    /// that the endpoint expects decides, and a 5xx needs no evidence. Any other error without it
    /// fails with `.unreachable(.intercepted)`: it removes nothing from a cache, sets no limit, and
    /// ends no session.
    public struct Evidence: Sendable {
        /// The realm of the service's challenges, in any case, such as `Example`; `nil` if it
        /// has none.
        ///
        /// A 401 with this realm, but without other evidence, asks the person to sign in.
        public var realm: String?
        /// Whether no other service has such evidence, so that it counts after a redirect, too.
        public var isUnique: Bool = false
        /// Returns whether a response proves that it's the service's own.
        public var isProven: @Sendable (HTTPClient.Response) -> Bool
        /// Returns whether a 401 says that no token arrived; by default, none does.
        ///
        /// If one was sent, a proxy has removed it, and the session stays.
        public var lacksToken: @Sendable (HTTPClient.Response) -> Bool = { _ in false }

        /// Creates a rule of a service's own.
        public init(realm: String? = nil, isProven: @escaping @Sendable (HTTPClient.Response) -> Bool) {
            self.realm = realm
            self.isProven = isProven
        }

        /// Returns the rule of most services: a challenge for a token, or else JSON without one.
        ///
        /// A 204 has no body. A 429 needs none, and no JSON if it has `Retry-After`, or the reset
        /// of a limit.
        ///
        /// - Parameters:
        ///   - type: Another media type that the service uses for JSON, in lowercase.
        ///   - scheme: The scheme of the service's challenges, in lowercase.
        ///   - realm: The realm of the service's challenges.
        public static func json(alsoAs type: String? = nil, scheme: String = "bearer", realm: String? = nil) -> Self {
            Evidence(realm: realm) { response in
                let schemes = response.challengeSchemes
                guard schemes.isEmpty else { return schemes.contains(scheme) }
                let isJSON = response.mediaType.map { $0 == type || HTTPClient.Response.isJSON($0) }
                // A limit at a service's edge can lack a body, and therefore a type. One that names
                // its end is often a sentence or a page (RFC 6585, section 4).
                let end = response.headers["Retry-After"] ?? RetryAfter.field("Reset", in: response.headers)
                if response.status == 429, end != nil || response.isBare { return true }
                if response.status == 204, response.isBare { return true }
                return isJSON == true && !response.isPage && !(response.body.isEmpty && response.status == 401)
            }
        }

        /// Returns a response whose status counts.
        ///
        /// - Throws: `.unreachable` with the reason `.intercepted`, or `.moved` if a service with
        ///   unique evidence has redirected to another server of the same kind.
        func checked(
            _ response: HTTPClient.Response,
            to request: HTTPClient.Request,
            at now: Date
        ) throws(BrowseError) -> HTTPClient.Response {
            let isElsewhere = Origin(response.url).map { $0 != Origin(request.url) } ?? false
            switch response.status {
            case 200..<300, 500..<511, 512..<600: return response
            // It confirms a validator.
            case 304 where request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil:
                return response
            case 407, 511: throw response.interception(of: request, at: now)
            case 401 where !isElsewhere && request.isAuthorized && lacksToken(response):
                return modified(response) { $0.doubt = .foreign }
            // Elsewhere, JSON or a challenge can be those of any server.
            case _ where isProven(response) && (!isElsewhere || isUnique):
                // The token is good (RFC 6750, section 3.1).
                let challenge = (response.headers["WWW-Authenticate"] ?? "").filter { $0 != "\"" && $0 != " " }
                let lacksScope = response.status == 401 && challenge.contains("error=insufficient_scope")
                guard isElsewhere else { return modified(response) { if lacksScope { $0.status = 403 } } }
                let info = BrowseError.RequestInfo(endpoint: request.endpoint, status: response.status)
                throw .unreachable(.moved(to: ShownText.host(of: response.url)), info)
            case 401 where !isElsewhere && (request.isAuthorized || response.namesRealm(realm)):
                return modified(response) { $0.doubt = response.namesRealm(realm) ? .unproven : .foreign }
            default: throw response.interception(of: request, at: now)
            }
        }
    }
}

extension HTTPClient.Response {
    /// Returns the error of a response in the service's place, with the time in `Retry-After`.
    func interception(of request: HTTPClient.Request, at now: Date? = nil) -> BrowseError {
        let retryAt = now.flatMap { RetryAfter.date(headers, now: $0) }
        let info = BrowseError.RequestInfo(endpoint: request.endpoint, status: status) {
            $0.retryAt = retryAt
            $0.host = host(insteadOf: request.url)
        }
        return .unreachable(.intercepted, info)
    }

    /// The host that responded after a redirect; `nil` if it's the one that was asked.
    func host(insteadOf asked: URL) -> String? { Origin(url) == Origin(asked) ? nil : ShownText.host(of: url) }

    /// Whether there is neither a body nor a type.
    @_spi(Services) public var isBare: Bool { body.isEmpty && mediaType == nil }

    /// Whether the body is a page, which can have the media type of other responses.
    var isPage: Bool {
        let isText: (UInt8) -> Bool = { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return mediaType == "text/html" || body.first(where: isText) == UInt8(ascii: "<")
    }

    /// The lowercase schemes in `WWW-Authenticate` (RFC 9110, section 11.6.1).
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

    /// Whether a challenge has a realm, or one that begins with its words.
    fileprivate func namesRealm(_ realm: String?) -> Bool {
        guard let realm = realm?.lowercased(), let text = headers["WWW-Authenticate"]?.lowercased() else {
            return false
        }
        // Recipients must accept white space there (RFC 9110, sections 5.6.3 and 11.2).
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmingWhitespace)
        return parts.joined(separator: "=").components(separatedBy: "realm=").dropFirst().contains { part in
            let value = part.first == "\"" ? part.dropFirst().prefix { $0 != "\"" } : part.prefix { $0 != "," }
            return value == realm || value.hasPrefix(realm + " ")
        }
    }
}

extension BrowseError {
    /// Returns the error with the host, if its message names it.
    func naming(_ url: URL) -> BrowseError {
        guard case .unreachable(let reason, let info) = self else { return self }
        switch reason {
        case .hostNotFound, .notSecure: break
        case .offline where Origin(url)?.isLocal == true: break
        default: return self
        }
        return .unreachable(reason, modified(info) { $0.host = ShownText.host(of: url) })
    }
}
