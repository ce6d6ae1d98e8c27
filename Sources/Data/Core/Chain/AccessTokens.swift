public import BrowseDomain

/// Provides the tokens for requests to a service.
///
/// A provider needs only ``currentGrant()``. Its requests go to the origin of the service's base
/// URL, over https or on this device, and are sent again after a 401 if there is another token.
public protocol AccessTokens: Sendable {
    /// Returns the grant for a request; `nil` if nobody is signed in.
    ///
    /// It's called before a request waits to be one of the few that are in flight at once, and
    /// again before each attempt. Refresh a token with another client, such as the container's
    /// `plainClient(of:middleware:)`, whose requests don't wait for those of this one.
    ///
    /// - Throws: The error of the request, such as `.unauthorized` if the token can't be refreshed.
    func currentGrant() async throws(BrowseError) -> AccessGrant?

    /// Returns the account that requests belong to; `nil` if nobody is signed in.
    ///
    /// It's called when a request starts, and after each read. By default, it's the account of the
    /// current grant. Return the account even if its token can't be refreshed, so that cached
    /// responses can be used.
    ///
    /// - Throws: The error of the request.
    func account() async throws(BrowseError) -> String?

    /// Returns the current grant after a refusal; `nil` returns the 401 to the caller.
    ///
    /// By default, it's the current one, if that has another token. The request is sent again with
    /// the current grant, and occupies none of the slots for requests in flight meanwhile.
    ///
    /// - Parameters:
    ///   - refused: The grant of the request.
    ///   - refusals: The number of times that the request was refused with this token, at least 1.
    func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant?
}

extension AccessTokens {
    /// Returns the account of the current grant.
    public func account() async throws(BrowseError) -> String? { try await currentGrant()?.account }

    /// Returns the current grant if it has another token.
    public func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant? {
        let grant = try await currentGrant()
        return grant?.token == refused.token ? nil : grant
    }
}
