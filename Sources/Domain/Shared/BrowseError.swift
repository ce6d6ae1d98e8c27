#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Everything that can go wrong in a repository or a use case.
///
/// The set is closed, so a `switch` needs no `default`. Each case keeps what a developer needs to find the cause and
/// nothing secret: no token, no query, no response in full. What a person reads is made from it in BrowsePresentation.
///
/// It is indirect because every async function that throws it reserves room for one in its frame.
public indirect enum BrowseError: Error, Hashable, Sendable {
    /// The caller went away; never shown as a failure.
    case cancelled
    /// No response: the network, the host or the connection failed.
    case unreachable(Unreachable, RequestInfo)
    /// The response did not come, or did not end, within the time limit.
    case timedOut(RequestInfo)
    /// The server asks to wait: its budget for this client is used up.
    case rateLimited(RateLimit, RequestInfo)
    /// The server does not know who asks, or the token is no longer good (401); ``RequestInfo/isAnonymous`` tells which.
    case unauthorized(RequestInfo)
    /// The server knows who asks and says no (403).
    case forbidden(RequestInfo)
    /// There is no such thing (404, 410).
    case notFound(RequestInfo)
    /// The server cannot take the request as it is (any other 4xx; 422 for a search it cannot run).
    case rejected(RequestInfo)
    /// The server failed (5xx); the same request may work later.
    case serverFailure(RequestInfo)
    /// A response came, but not one that can be used.
    case unusableResponse(UnusableResponse, RequestInfo)
    /// The request was not sent, or a redirect not followed, because it would not have been safe.
    case refused(Refusal, RequestInfo)
    /// Something could not be stored on this device, or read from its storage.
    case storageFailed(StorageFailure)
    /// Signing in, or renewing a token, came to nothing.
    case signInFailed(SignInFailure)
}

extension BrowseError {
    /// Which request it was and what the server said, for a developer's eyes.
    public struct RequestInfo: Hashable, Sendable {
        /// The endpoint's name with its parameters left out, as in `GET /users/{}/followers`.
        public var endpoint: String
        /// The HTTP status, when a response came.
        public var status: Int?
        /// GitHub's number for the exchange (`X-GitHub-Request-Id`), which its support asks for.
        public var requestID: String?
        /// The server's own words, at most 200 characters, with anything that could be a secret masked.
        public var serverMessage: String?
        /// Whether nobody was signed in, with `.unauthorized`: it asks to sign in first then, and otherwise to sign in again.
        public var isAnonymous: Bool

        /// Creates a description of a request.
        public init(
            endpoint: String,
            status: Int? = nil,
            requestID: String? = nil,
            serverMessage: String? = nil,
            isAnonymous: Bool = false
        ) {
            self.endpoint = endpoint
            self.status = status
            self.requestID = requestID
            self.serverMessage = serverMessage
            self.isAnonymous = isAnonymous
        }
    }

    /// Why no response came.
    public enum Unreachable: Hashable, Sendable {
        /// The device has no network.
        case offline
        /// The host's name is unknown.
        case hostNotFound
        /// Nobody accepts connections there.
        case connectionRefused
        /// The connection broke before the response was complete.
        case connectionLost
        /// No secure connection could be made; the detail names the problem, such as an expired certificate, for developers.
        case notSecure(detail: String)
        /// Only what is kept on this device was to be looked at, and it is not there.
        case notCached
        /// Something else; the code is Foundation's `URLError.Code`, the detail is for developers.
        case other(code: Int, detail: String)
    }

    /// The wait that the server asks for.
    public struct RateLimit: Hashable, Sendable {
        /// Which kind of limit was met: GitHub has both, the other services the first only.
        public enum Kind: Hashable, Sendable {
            /// The hourly or per-minute budget is used up.
            case primary
            /// Too much at once, whatever is left of the budget.
            case secondary
        }

        /// Which limit it was.
        public var kind: Kind
        /// When to try again.
        public var retryAt: Date
        /// Whether the server named that time; otherwise it is 60 seconds: the least that GitHub asks for, and the time by
        /// which the App Store counts.
        public var isServerTime: Bool

        /// Creates a description of a wait.
        public init(kind: Kind, retryAt: Date, isServerTime: Bool) {
            self.kind = kind
            self.retryAt = retryAt
            self.isServerTime = isServerTime
        }
    }

    /// What was wrong with a response.
    public enum UnusableResponse: Hashable, Sendable {
        /// The body was empty where a value was promised.
        case empty
        /// The body is something else, such as an HTML page; the value is its content type.
        case contentType(String)
        /// The body, or the head, exceeds its limit, given in bytes.
        case tooLarge(limit: Int)
        /// The status promises nothing that this endpoint can give.
        case status
        /// The body does not have the promised shape.
        case decoding(DecodingFailure)
    }

    /// Where decoding stopped.
    public struct DecodingFailure: Hashable, Sendable {
        /// The keys and indices down to the value, as in `[3].login`; empty at the top.
        public var codingPath: String
        /// What was expected there.
        public var reason: String
        /// The beginning of the body, at most 120 characters, with every text value masked.
        public var excerpt: String

        /// Creates a description of a decoding failure.
        public init(codingPath: String, reason: String, excerpt: String) {
            self.codingPath = codingPath
            self.reason = reason
            self.excerpt = excerpt
        }
    }

    /// Why a request was not sent or a redirect not followed.
    public enum Refusal: Hashable, Sendable {
        /// A parameter cannot stand in a request, such as a login that is empty or `..`.
        case invalidParameter
        /// A page's address is on another origin, at the path of another resource, or written in an ambiguous way.
        case foreignPage
        /// The service's base URL can't be used, or would send secrets over plain http; `Configuration.validate()` says why.
        case invalidConfiguration
        /// A redirect leads from https to http, or would carry a body to another origin.
        case insecureRedirect
        /// More redirects than the limit, which is the value.
        case tooManyRedirects(limit: Int)
        /// A redirect without an address that can be followed.
        case unreadableRedirect
    }

    /// Why signing in came to nothing.
    public enum SignInFailure: Hashable, Sendable {
        /// The app has no client id, or no redirect address, for this way of signing in.
        case notConfigured
        /// The person said no.
        case denied
        /// The code was not used in time, or the token can no longer be renewed.
        case expired
        /// GitHub does not know the code: it was used before, mistyped, or belongs to somebody else.
        case invalidCode
        /// GitHub does not know the app, or its secret is wrong.
        case incorrectClient
        /// The redirect address is not the one that the app is registered with.
        case redirectMismatch
        /// The person has to confirm their e-mail address at GitHub first.
        case unverifiedEmail
        /// The app may not use the device flow.
        case deviceFlowDisabled
        /// The address that the browser came back with is not an answer to this sign-in.
        case callback(CallbackProblem)
        /// Something else; the value is GitHub's error code, or `…` when it does not have the form of one.
        case other(String)
    }

    /// What is wrong with the address that the browser came back with.
    public enum CallbackProblem: Hashable, Sendable {
        /// It is not the redirect address.
        case otherAddress
        /// `state` is missing, twice there, or not the one that was sent: somebody else's answer.
        case wrongState
        /// There is neither one code nor an error.
        case noCode
        /// Nobody waits for an answer.
        case notExpected
    }

    /// Whether the server says that there is no such thing.
    public var isNotFound: Bool {
        if case .notFound = self { true } else { false }
    }

    /// Which request it was; `nil` for a cancellation, for failures of the storage and of signing in.
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
