extension GitHub {
    /// Who is signed in.
    ///
    /// A session goes through its cases in this order, and may end at any of them. Whoever follows
    /// ``SessionManager/sessions`` can rely on it: when a case is told, all that it promises is there.
    public enum Session: Hashable, Sendable {
        /// What is stored has not been read yet, or can't be until the device is unlocked for the first time.
        case restoring
        /// Nobody is signed in.
        case signedOut(SignOutReason)
        /// There is a token, which requests carry; whose it is has not come yet.
        case signingIn
        /// Whose it is could not be learnt, though the token is good as far as is known; ``SessionManager/retry()`` asks again.
        case unidentified(BrowseError)
        /// It is known who signed in; which code repositories they have starred is on its way.
        case identified(User)
        /// The stars are known as well, or could not be loaded: screens can show what belongs to this person.
        case ready(User)

        /// Who is signed in, once that is known.
        public var user: User? {
            switch self {
            case .identified(let user), .ready(let user): user
            case .restoring, .signedOut, .signingIn, .unidentified: nil
            }
        }
    }

    /// Why nobody is signed in.
    public enum SignOutReason: Hashable, Sendable {
        /// Nobody has signed in on this device, or they signed out before.
        case noSession
        /// The person signed out.
        case requested
        /// GitHub no longer takes the token: it was revoked, or has ended.
        case revoked
        /// What is stored cannot be used, such as a file that others could read.
        case storage(StorageFailure)
    }
}
