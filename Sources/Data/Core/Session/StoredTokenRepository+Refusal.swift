import BrowseDomain
import Foundation

/// The refusal of a token by the service.
struct Refusal: Sendable {
    let token: AccessToken
    /// The delay before the configured token is tried again; `nil` for tokens that are refreshed instead.
    let backOff: BackOff?
    /// Whether a request that tries the token again is in flight.
    var isTrying = false

    var canBeTried: Bool { !isTrying && backOff?.isExpired() == true }
}

extension StoredTokenRepository {
    /// The token of a request that may be sent now.
    struct Admission: Sendable {
        let token: AccessToken
        /// Whether the request tries a refused token again.
        let isTrial: Bool
        /// Whether a success must be reported.
        let isUnproven: Bool
    }

    /// Returns the current token for a request that leaves the queues.
    ///
    /// - Throws: `.unauthorized` without a status if the request must start again at `Authorization`: the session ended, the
    ///   account key of a read changed, or the token expired or was refused.
    func admit(_ request: HTTPRequest) async throws(BrowseError) -> Admission {
        await reloadIfChanged()
        guard let session, isAccount(of: request, session),
            session.grant.credentials.expiresAt ?? .distantFuture > now()
        else { throw .unauthorized(request.info) }
        let token = session.grant.credentials.token
        guard let refusal = session.currentRefusal else {
            return Admission(
                token: token,
                isTrial: false,
                isUnproven: token == session.refreshedToken && token != session.acceptedToken
            )
        }
        guard refusal.canBeTried else { throw .unauthorized(request.info) }
        self.session?.refusal?.isTrying = true
        return Admission(token: token, isTrial: true, isUnproven: true)
    }

    private func isAccount(of request: HTTPRequest, _ session: TokenSession) -> Bool {
        guard request.account != session.grant.credentials.account else { return true }
        // A write isn't cached, so its key doesn't matter.
        return request.method != .get && request.account == session.formerAccount
    }

    /// Records the outcome of an admitted request; `nil` if it failed.
    func finish(_ admission: Admission, with status: Int?) {
        switch status {
        case 401: noteRefusal(of: admission.token, afterTrial: admission.isTrial)
        case .some(200..<400): noteAcceptance(of: admission.token)
        default:
            if admission.isTrial, session?.refusal?.token == admission.token { session?.refusal?.isTrying = false }
        }
    }

    /// Records the refusal of a token; ignored for requests that were in flight at the first refusal.
    func noteRefusal(of token: AccessToken, afterTrial isTrial: Bool = false) {
        guard let session, session.grant.credentials.token == token else { return }
        let previous = session.currentRefusal
        guard isTrial || previous == nil else { return }
        guard token == configuredToken else {
            self.session?.refusal = Refusal(token: token, backOff: nil)
            return
        }
        let backOff = BackOff(after: Self.refusedError, previous: previous?.backOff, limit: .seconds(300), clock: clock)
        self.session?.refusal = Refusal(token: token, backOff: backOff)
        if previous == nil { broadcast.send(.refused(session.grant.id)) }
    }

    private func noteAcceptance(of token: AccessToken) {
        guard let session, session.grant.credentials.token == token else { return }
        self.session?.acceptedToken = token
        guard let refusal = session.currentRefusal else { return }
        self.session?.refusal = nil
        if refusal.backOff != nil { broadcast.send(.restored) }
    }

    /// The error of requests that aren't sent, because the configured token is refused.
    static var refusedError: BrowseError {
        .unauthorized(BrowseError.RequestInfo(endpoint: "", hasConfiguredToken: true))
    }
}
