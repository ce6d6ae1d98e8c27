public import BrowseDomain

extension StoredTokenRepository: AccessTokens {
    /// Returns the grant for a request, after a refresh if its token expires soon.
    public func currentGrant() async throws(BrowseError) -> AccessGrant? {
        await readStore()
        // Read after the suspensions, during which the session may have ended.
        return (try needsRefresh ? await refreshedGrant() : grant).map(accessGrant)
    }

    /// Returns the grant after a refresh, which all refused requests share.
    public func grant(afterRefusalOf refused: AccessGrant, isRetry: Bool) async throws(BrowseError) -> AccessGrant? {
        guard let number = Int(refused.id) else { return nil }
        let grant = try await grant(
            afterRefusalOf: TokenGrant.ID(rawValue: number),
            token: refused.token,
            isRetry: isRetry
        )
        return grant.map(accessGrant)
    }

    /// Returns whether a session hasn't ended here or in another process.
    public func isInUse(_ id: AccessGrant.ID) async -> Bool {
        guard let number = Int(id) else { return false }
        return await isStillInUse(TokenGrant.ID(rawValue: number))
    }

    /// Returns the account of the current grant, even if its token has expired.
    public func offlineAccount() async -> String? { (try? await current())?.credentials.account }

    private func accessGrant(_ grant: TokenGrant) -> AccessGrant {
        let credentials = grant.credentials
        var access = AccessGrant(id: "\(grant.id.rawValue)", account: credentials.account, token: credentials.token)
        access.isConfigured = credentials.token == configuredToken
        return access
    }
}
