public import Foundation

/// The error of all repositories and use cases.
///
/// The set of cases is closed, so a `switch` needs no `default`. Cases contain details for finding
/// the cause, with possible secrets masked. BrowsePresentation turns errors into localized text.
///
/// The enum is indirect to keep async frames small: each function that throws it reserves space for
/// one.
public indirect enum BrowseError: Error, Hashable, Sendable {
    /// The caller was canceled. Any async method can throw this; don't show it as a failure.
    case cancelled
    /// No intact response arrived; for example, because the network, the host, or the connection
    /// failed.
    case unreachable(Unreachable, RequestInfo)
    /// The response didn't arrive completely within the time limit.
    ///
    /// Or the service asks for another attempt (408, 425).
    case timedOut(RequestInfo)
    /// The server's rate limit is exceeded.
    case rateLimited(RateLimit, RequestInfo)
    /// The token is missing, expired, or revoked (401).
    ///
    /// See ``RequestInfo/hadNoCredentials`` and ``RequestInfo/refusedConfiguredToken``.
    case unauthorized(RequestInfo)
    /// The service denied access (403, 451), for the reason ``RequestInfo/denial`` if it's known.
    case forbidden(RequestInfo)
    /// The resource doesn't exist (404, 410).
    case notFound(RequestInfo)
    /// The service doesn't accept the request (any other 4xx); see ``RequestInfo/rejection``.
    case rejected(RequestInfo)
    /// The server failed (5xx); the same request may succeed later.
    case serverFailure(RequestInfo)
    /// The response can't be used.
    case unusableResponse(UnusableResponse, RequestInfo)
    /// The SDK didn't send the request, or didn't follow a redirect, because that would be unsafe.
    case refused(Refusal, RequestInfo)
    /// A value couldn't be stored on this device, or read from its storage.
    case storageFailed(StorageFailure)
    /// Signing in, or refreshing a token, failed.
    case signInFailed(SignInFailure)
}

extension BrowseError {
    /// A failed request and the server's response, for developers.
    public struct RequestInfo: Hashable, Sendable {
        /// The endpoint's name without its parameters, as in `GET /users/{}/followers`.
        public var endpoint: String
        /// The HTTP status; `nil` if it's unknown, such as without a response.
        public var status: Int?
        /// The response's identifier for the service's support team; `nil` if it has none.
        public var requestID: String?
        /// The server's error message.
        ///
        /// `reporting(_:)` of BrowseData cuts it to 200 characters without long words; set
        /// directly, it's shown as it is.
        public var serverMessage: String?
        /// With `.forbidden`, the reason; `nil` if it's unknown.
        public var denial: Denial?
        /// With `.rejected`, the reason; `nil` if it's unknown.
        public var rejection: Rejection?
        /// Whether the request had no token because the token provider had none.
        ///
        /// It's set with `.unauthorized`, `.forbidden`, and `.rateLimited`.
        public var hadNoCredentials: Bool = false
        /// With `.unauthorized`, whether the service refused the app's own token, so signing in
        /// doesn't help.
        ///
        /// ``status`` is `nil` if the request wasn't sent because the token was refused before.
        public var refusedConfiguredToken: Bool = false
        /// With `.unauthorized`, whether it isn't proven to be the service's.
        ///
        /// If not, the session goes on.
        public var isUnproven: Bool = false
        /// The earliest time for another request, from `Retry-After`; `nil` if it's unknown.
        ///
        /// It's set with `.serverFailure` and `.unreachable(.intercepted)`.
        public var retryAt: Date?
        /// With `.rejected`, the code of a region without the service.
        ///
        /// It's `nil` if the request was rejected for another reason.
        public var refusedRegion: String?
        /// The host that can't be found or verified, or that responded in the service's place.
        public var host: String?

        /// Creates a description of a request, and sets its other values with a closure.
        public init(endpoint: String, status: Int? = nil, _ fill: (inout Self) -> Void = { _ in }) {
            self.endpoint = endpoint
            self.status = status
            fill(&self)
        }
    }

    /// The reason why a service didn't accept a request.
    public enum Rejection: Hashable, Sendable {
        /// The person's input, such as the query of a search; also assumed of a 422 without a
        /// reason.
        case input
        /// The service no longer has the version of its API that the app uses.
        case appVersion
        /// The service doesn't return further pages of the list.
        case pageLimit
    }

    /// The reason why a service denied access.
    public enum Denial: Hashable, Sendable {
        /// The sign-in or token lacks one of these permissions, in the service's words.
        ///
        /// A semicolon separates alternatives.
        case missingPermission([String])
        /// An organization requires single sign-on, on a page of the service.
        case singleSignOn(WebAddress?)
        /// The content is blocked for legal reasons, which a page of the service describes (451).
        case legalReasons(WebAddress?)
    }

    /// The reason why no intact response arrived.
    public enum Unreachable: Hashable, Sendable {
        /// The device has no network connection.
        case offline
        /// The host's name can't be resolved.
        case hostNotFound
        /// The host refused the connection.
        case connectionRefused
        /// The connection was lost before the response was complete.
        case connectionLost
        /// A secure connection couldn't be made; the detail is for developers, such as an expired
        /// certificate.
        case notSecure(detail: String)
        /// A proxy, gateway, or captive portal responded in the service's place.
        ///
        /// Also a redirect to http, or one that would send a body to another server.
        case intercepted
        /// The service redirects to another server, and refused the request there.
        ///
        /// The value is its host; change the app's settings.
        case moved(to: String)
        /// Only the cache was allowed, and it returned no response.
        case notCached
        /// Another error, as a code of Foundation's `URLError.Code`, with a detail for developers.
        case other(code: Int, detail: String)
    }

    /// The server's rate limit.
    public struct RateLimit: Hashable, Sendable {
        /// A kind of limit; few services have both.
        public enum Kind: Hashable, Sendable {
            /// The hourly or per-minute number of requests is used up.
            case primary
            /// Too many requests at once, independent of the primary limit.
            case secondary
        }

        /// The kind of limit.
        public var kind: Kind
        /// The earliest time for another request.
        public var retryAt: Date
        /// Whether the server sent ``retryAt``. If not, it's an estimate, usually 60 seconds from
        /// now.
        public var isServerTime: Bool

        /// Creates a description of a limit.
        public init(kind: Kind, retryAt: Date, isServerTime: Bool) {
            self.kind = kind
            self.retryAt = retryAt
            self.isServerTime = isServerTime
        }
    }

    /// The reason why a response can't be used.
    public enum UnusableResponse: Hashable, Sendable {
        /// The body is empty, but a value was expected.
        case empty
        /// The body has an unexpected content type, such as an HTML page.
        case contentType(String)
        /// The body, or the head, exceeds its limit in bytes.
        case tooLarge(limit: Int)
        /// The body has more JSON values than the limit.
        case tooManyValues(limit: Int)
        /// The image has more pixels than the limit.
        case tooManyPixels(limit: Int)
        /// The list has more pages than the limit.
        ///
        /// Earlier pages were delivered.
        case tooManyPages(limit: Int)
        /// The response has no defined meaning for this endpoint.
        case status
        /// The body doesn't have the expected shape.
        case decoding(DecodingFailure)
    }

    /// The position and reason of a decoding error.
    public struct DecodingFailure: Hashable, Sendable {
        /// The keys and indices of the value, as in `[3].login`; empty at the top level.
        public var codingPath: String
        /// The expectation that wasn't met.
        public var reason: String

        /// Creates a description of a decoding error.
        public init(codingPath: String, reason: String) {
            self.codingPath = codingPath
            self.reason = reason
        }
    }

    /// The reason why a request wasn't sent, or a redirect wasn't followed.
    public enum Refusal: Hashable, Sendable {
        /// A parameter isn't allowed in a request; for example, a login that is empty or `..`.
        case invalidParameter
        /// A page's cursor is invalid, or its URL isn't below the service's base URL.
        case foreignPage
        /// A setting is invalid, or would send secrets over http; see `Configuration.validate()`.
        case invalidConfiguration
        /// The number of redirects exceeds the limit.
        case tooManyRedirects(limit: Int)
        /// A redirect has no usable URL.
        case unreadableRedirect
    }

    /// The reason why signing in failed.
    public enum SignInFailure: Hashable, Sendable {
        /// A setting that this way to sign in needs is missing, such as `OAuthApp.redirect`.
        case notConfigured(missing: String)
        /// The user refused.
        case denied
        /// The time for signing in is over.
        case expired
        /// The service doesn't accept the code or refresh token; for example, because it was used
        /// before.
        case invalidCode
        /// The service doesn't recognize the app, or its secret is wrong.
        case incorrectClient
        /// The redirect URL isn't the app's registered one.
        case redirectMismatch
        /// The user must confirm their email address at the service first.
        case unverifiedEmail
        /// The server doesn't offer the device flow, or not to this app; a browser may work.
        case deviceFlowDisabled
        /// The pending sign-in was resumed or finished before.
        case alreadyUsed
        /// The URL that the browser was redirected to isn't a usable callback of this sign-in.
        case callback(CallbackProblem)
        /// Another error code of OAuth; `…` for a code that no standard defines.
        case other(String)
    }

    /// The problem with the URL that the browser was redirected to.
    public enum CallbackProblem: Hashable, Sendable {
        /// The URL isn't the redirect URL.
        case otherAddress
        /// The `state` parameter is missing, repeated, or that of another sign-in.
        case wrongState
        /// The URL has neither an error nor exactly one usable code.
        case noCode
        /// No sign-in is in progress.
        case notExpected
    }

    /// Whether the service may have made the change that a request asked for, although it failed.
    ///
    /// It's true after a time-out, a lost connection, a cancellation, a failure of the service
    /// (5xx), and a response that can't be used. It's also true if a deletion finds nothing: an
    /// earlier attempt, whose response was lost, can have succeeded.
    public var mayHaveTakenEffect: Bool {
        switch self {
        case .cancelled, .timedOut, .serverFailure, .unusableResponse, .unreachable(.connectionLost, _),
            .unreachable(.other, _):
            true
        case .notFound(let info): info.endpoint.hasPrefix("DELETE ")
        default: false
        }
    }

    /// Whether the resource doesn't exist.
    package var isNotFound: Bool {
        if case .notFound = self { true } else { false }
    }

    /// The earliest time for another request; `nil` if it's unknown.
    var retryAt: Date? {
        if case .rateLimited(let limit, _) = self { limit.retryAt } else { request?.retryAt }
    }

    /// The failed request; `nil` for cancellation and for errors of storage and signing in.
    public var request: RequestInfo? {
        switch self {
        case .cancelled, .storageFailed, .signInFailed: nil
        case .unreachable(_, let info), .timedOut(let info), .rateLimited(_, let info), .unauthorized(let info),
            .forbidden(let info), .notFound(let info), .rejected(let info), .serverFailure(let info),
            .unusableResponse(_, let info), .refused(_, let info):
            info
        }
    }
}

extension BrowseError: CustomStringConvertible {
    /// The cause and the request in one line, for logs, as in `notFound: GET /users/{}, status
    /// 404`.
    public var description: String {
        let cause =
            switch self {
            case .cancelled: "cancelled"
            case .unreachable(let reason, _): "unreachable (\(reason))"
            case .timedOut: "timedOut"
            case .rateLimited(let limit, _): "rateLimited until \(limit.retryAt)"
            case .unauthorized(let info) where info.hadNoCredentials: "unauthorized (no credentials)"
            case .unauthorized(let info) where info.refusedConfiguredToken: "unauthorized (configured token)"
            case .unauthorized: "unauthorized"
            case .forbidden: "forbidden"
            case .notFound: "notFound"
            case .rejected: "rejected"
            case .serverFailure: "serverFailure"
            case .unusableResponse(let reason, _): "unusableResponse (\(reason))"
            case .refused(let reason, _): "refused (\(reason))"
            case .storageFailed(let failure):
                "storageFailed (\(failure.reason)): \(failure.file)" + (failure.code.map { ", code \($0)" } ?? "")
            case .signInFailed(.callback(let problem)): "signInFailed (callback: \(problem))"
            case .signInFailed(let failure): "signInFailed (\(failure))"
            }
        let text = request.map { "\(cause): \($0)" } ?? cause
        // A server's message can have several lines.
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension BrowseError.RequestInfo: CustomStringConvertible {
    /// The endpoint, and what is known of the response.
    public var description: String {
        let parts = [
            endpoint, status.map { "status \($0)" }, requestID.map { "request \($0)" }, serverMessage.map { "“\($0)”" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension BrowseError.DecodingFailure: CustomStringConvertible {
    /// The position and the reason.
    public var description: String { codingPath.isEmpty ? reason : "\(codingPath): \(reason)" }
}

extension BrowseError.SignInFailure {
    /// Creates a failure from a server's error code; the set of codes is open.
    ///
    /// Source: RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5; and codes that servers
    /// add.
    package init(code word: String) {
        self =
            switch word {
            case "access_denied", "authorization_declined", "user_cancelled_login", "user_cancelled_authorize": .denied
            case "expired_token", "token_expired": .expired
            case "bad_verification_code", "incorrect_device_code", "bad_refresh_token", "invalid_grant",
                "invalid_token":
                .invalidCode
            case "incorrect_client_credentials", "invalid_client", "application_suspended": .incorrectClient
            case "redirect_uri_mismatch": .redirectMismatch
            case "unverified_user_email": .unverifiedEmail
            case "device_flow_disabled": .deviceFlowDisabled
            default: .other(Self.shownCodes.contains(word) ? word : "…")
            }
    }

    /// Other codes of OAuth, RFC 8628, RFC 7009, and OpenID Connect. Any other text may be a secret
    /// that the server repeats.
    private static let shownCodes: Set = [
        "account_selection_required", "authorization_pending", "consent_required", "interaction_required",
        "invalid_request",
        "invalid_scope", "login_required", "server_error", "slow_down", "temporarily_unavailable",
        "unauthorized_client", "unsupported_grant_type", "unsupported_response_type", "unsupported_token_type",
    ]
}
