/// The state of a service's session.
///
/// The first state is ``restoring``. A session begins as ``signingIn``, continues as
/// ``identified(_:)`` and ``ready(_:)``, and can end at any time. When ``SessionManager/sessions``
/// delivers a case, everything that the case describes is in place.
public enum Session<User: SessionUser>: Hashable, Sendable {
    /// The stored session hasn't been read yet.
    ///
    /// It can't be read before the device's first unlock.
    case restoring
    /// No user is signed in.
    case signedOut(SignOutReason)
    /// Requests carry a token, whose user is being loaded.
    case signingIn
    /// The user couldn't be loaded, but the token may be valid; ``SessionManager/retry()`` tries
    /// again.
    case unidentified(BrowseError)
    /// The user is known; the session's content is being loaded.
    case identified(User)
    /// The content is loaded, or failed to load; screens can show the user's content.
    case ready(User)

    /// The signed-in user, once known.
    public var user: User? {
        switch self {
        case .identified(let user), .ready(let user): user
        case .restoring, .signedOut, .signingIn, .unidentified: nil
        }
    }
}
