@_spi(Services) import BrowseDomain
import Foundation

/// The grant in use, with the state that ends with it.
struct TokenSession: Sendable {
    var grant: TokenGrant
    /// Whether the token has had time to reach all servers of the service.
    var isSettled: @Sendable () -> Bool
    /// The older token that the store still has, if the refreshed one couldn't be stored.
    ///
    /// The lock keeps other processes from using its refresh token, which is used up.
    var unsaved: (storedToken: AccessToken, lock: RefreshLock?)?
    /// The token of the last refresh by this process.
    var refreshedToken: AccessToken?
    /// The token before or after a refresh because of a refusal that could be a proxy's.
    var doubtedToken: AccessToken?
    /// Whether a refused token of the configuration may be sent again; `nil` if it wasn't refused.
    var isRefusalOver: (@Sendable () -> Bool)?
    /// The delay after a failed refresh.
    var backOff: BackOff?
    /// The requests that wait for the refresh in flight; empty without one.
    var waiters: [OneShot<BrowseError?>] = []
    /// The reasons why they can't use the old token; empty if they can.
    var reasons: Set<RefreshReason> = []

    /// The reason why a request can't use a token that is being refreshed.
    enum RefreshReason {
        case expired, refused
        /// The service refused it in spite of its time.
        case revoked
        /// A refusal could be a proxy's, so that the session goes on if the refresh is refused,
        /// too.
        case doubted
    }

    /// The delay after a failed refresh before the next one.
    struct BackOff: Sendable {
        let failure: BrowseError
        let isOver: @Sendable () -> Bool
        private let delay: Duration

        /// Starts a delay of one second, or twice the previous one, up to 30 seconds.
        ///
        /// After a rate limit, it lasts until its end.
        init(after failure: BrowseError, previous: BackOff?, clock: any Clock<Duration>, now: Date) {
            self.failure = failure
            delay = min((previous?.delay ?? .milliseconds(500)) * 2, .seconds(30))
            var wait = delay
            if case .rateLimited(let limit, _) = failure {
                wait = max(wait, .clampedSeconds(limit.retryAt.timeIntervalSince(now)))
            }
            isOver = clock.deadline(after: wait)
        }
    }
}

extension Credentials {
    /// The account's key for rate limits and cached responses, which reveals no secret.
    ///
    /// It stays the same in a session.
    var account: String { "session " + effectiveSignInID }

    /// The identifier of the sign-in: a digest of its first token, which stays the same after
    /// refreshes.
    var effectiveSignInID: String { signInID ?? SHA256Digest.hash(token.text).prefix(16).hexadecimal }

    /// The remaining lifetime below which a token is refreshed, in seconds; longer than a request
    /// takes.
    static var margin: TimeInterval { 60 }

    /// Returns credentials as the service issued them, without a lifetime that can't be true.
    ///
    /// Otherwise, each request would refresh it.
    func issued(at now: Date) -> Credentials {
        modified(self) { if let expiresAt, expiresAt.timeIntervalSince(now) <= Self.margin { $0.expiresAt = nil } }
    }

    /// Returns whether the token has had ten seconds to reach all servers, by a clock that can't be
    /// set.
    func isSettled(by clock: any Clock<Duration>, now: Date) -> @Sendable () -> Bool {
        let age = issuedAt.map { abs(now.timeIntervalSince($0)) } ?? .infinity
        return clock.deadline(after: .clampedSeconds(max(0, 10 - age)))
    }

    /// The values that a refresh replaces; the token can stay the same.
    var pair: [Secret?] { [token, refreshToken] }

    /// Whether both credentials come from the same sign-in, even after refreshes.
    func isSameSignIn(as other: Credentials) -> Bool {
        token == other.token || effectiveSignInID == other.effectiveSignInID
    }
}

extension BrowseError {
    /// Whether a failed refresh means that the refresh token is invalid.
    ///
    /// Only `invalid_grant` (RFC 6749, section 5.2) and the `bad_refresh_token` and `invalid_token`
    /// of some servers mean that; all are `.invalidCode`. Other codes concern the app or the
    /// request, such as `incorrect_client_credentials` and `invalid_scope`, or are temporary, such
    /// as `slow_down`.
    var endsSession: Bool { self == .signInFailed(.invalidCode) }

    /// Whether the stored credentials are useless, so that overwriting them loses nothing.
    var isRepairedByStoring: Bool {
        guard case .storageFailed(let failure) = self else { return false }
        return failure.reason == .exposed || failure.reason == .damaged
    }
}
