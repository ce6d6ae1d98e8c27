/// The reason why no user is signed in.
public enum SignOutReason: Hashable, Sendable {
    /// No session is stored.
    case noSession
    /// The user signed out, or a sign-in replaced the session; here or in another process.
    case requested
    /// The service rejected the token.
    case revoked
    /// The service rejected the token, which has expired and can't be refreshed.
    case expired
    /// The service rejected the token of a sign-in whose user it has never reported.
    case refused
    /// The service doesn't accept the app's own token, which wasn't stored by a sign-in.
    ///
    /// Requests continue to try it.
    case tokenRefused
    /// The stored session can't be used; for example, because other users can read its file.
    case storage(StorageFailure)
}
