@_spi(Services) public import BrowseDomain
import Foundation

extension StoredTokenRepository: AccessTokens {
    /// Returns the account of the session, even if its token has expired.
    public func account() async -> String? {
        if let tried = Credentials.tried { return tried.account }
        if !isRead { await share { if await self.needsStore { await self.synchronize() } } }
        return session?.grant.credentials.account
    }

    /// Returns the grant for a request, after a refresh if its token expires within a minute.
    public func currentGrant() async throws(BrowseError) -> AccessGrant? {
        guard Credentials.tried == nil else { return accessGrant }
        if needsStore { await share { if await self.needsStore { await self.synchronize() } } }
        guard let grant = session?.grant, let end = grant.credentials.expiresAt, grant.credentials.refreshToken != nil,
            authorization != nil
        else { return accessGrant }
        let remaining = end.timeIntervalSince(now())
        guard remaining < Credentials.margin else { return accessGrant }
        do throws(BrowseError) {
            try await refreshed(grant.id, because: remaining <= 0 ? .expired : nil)
        } catch {
            guard remaining > 0, error != .cancelled else { throw error }
        }
        return accessGrant
    }

    /// Returns the grant for another attempt of a refused request.
    ///
    /// It's `nil` if the session has ended, or if the token is the configured one. A token that was
    /// sent within ten seconds of its issuance gets time to reach all servers; an older one is
    /// refreshed. If a refreshed token is refused in spite of its time, the session ends. A refusal
    /// that could be a proxy's never ends the session, and uses up at most one refresh token: that
    /// of a token which wasn't refreshed for the same reason, or whose refresh is in flight.
    public func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant? {
        // Another request, or another process, can have refreshed the token.
        if Credentials.tried == nil, accessGrant?.token == refused.token { await share { await self.synchronize() } }
        guard let grant = accessGrant, grant.token == refused.token else { return accessGrant }
        if !refused.isDoubtful, refusals <= 3, refusals > 1 || !refused.isSettled {
            guard await clock.pause(.seconds(1 << (refusals - 1)), before: "a retry by token") else { throw .cancelled }
            return accessGrant
        }
        guard let session, Credentials.tried == nil else { return nil }
        // Its refresh token would be used up in vain.
        var reason: TokenSession.RefreshReason =
            refusals > 1 && grant.token == session.refreshedToken ? .revoked : .refused
        if refused.isDoubtful {
            guard session.grant.credentials.refreshToken != nil, authorization != nil,
                session.doubtedToken != refused.token || !session.waiters.isEmpty
            else { return nil }
            reason = .doubted
            self.session?.doubtedToken = refused.token
        } else if grant.isConfigured {
            if session.isRefusalOver == nil { broadcast.send(.ended(session.grant.id, .tokenRefused)) }
            self.session?.isRefusalOver = clock.deadline(after: .seconds(60))
            return nil
        }
        do throws(BrowseError) {
            try await refreshed(session.grant.id, because: reason)
        } catch {
            // The session goes on even if the refresh token is refused, until it's needed.
            guard refused.isDoubtful, error.endsSession else { throw error }
        }
        let new = accessGrant
        if refused.isDoubtful { self.session?.doubtedToken = new?.token }
        return new?.token == refused.token ? nil : new
    }

    /// Whether the store must be accessed first; an access before can have been sufficient.
    private var needsStore: Bool { !isRead || session?.unsaved != nil }

    /// The grant of the session, or of the token that the current task tries.
    private var accessGrant: AccessGrant? {
        let session = Credentials.tried == nil ? session : nil
        guard let credentials = Credentials.tried ?? session?.grant.credentials else { return nil }
        let isSettled = session?.isSettled ?? credentials.isSettled(by: clock, now: now())
        var grant = AccessGrant(account: credentials.account, token: credentials.token)
        grant.isConfigured = grant.token == configuredToken
        grant.isRefused = session?.isRefusalOver?() == false
        grant.isSettled = isSettled()
        return grant
    }
}
