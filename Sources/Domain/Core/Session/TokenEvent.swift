/// A change of the token that doesn't result from a call of ``TokenRepository``.
public enum TokenEvent: Hashable, Sendable {
    /// The session of a grant has ended; reported once per grant.
    ///
    /// The reason is `.revoked` or `.expired` if the service rejected the token, and `.requested`
    /// if the stored credentials were deleted or replaced elsewhere. It's `.tokenRefused` for the
    /// app's own token, whose grant stays in use. That is reported again after
    /// ``TokenRepository/identify(_:as:)``, which means that the service has accepted the token.
    case ended(TokenGrant.ID, SignOutReason)
    /// The stored credentials were read again, or a refresh has changed the scopes.
    ///
    /// The credentials are read again after the device's first unlock, after a sign-in by another
    /// process, and when a store that wasn't available can be read again. There may be none.
    case restored
}
