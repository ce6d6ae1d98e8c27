@_spi(Services) import BrowseDomain
import Foundation

extension Credentials {
    /// The account's key for rate limits and cached responses, which reveals no secret.
    ///
    /// For refreshable tokens of a known user, it's the user's ID, which outlives the token. Otherwise it's a digest of the
    /// token, which is available from the first request on.
    var account: String {
        if refreshToken != nil, let user { return "user " + user.accountID }
        return "token " + tokenDigest
    }

    /// The identifier of the sign-in: a digest of its first token, which stays the same after refreshes.
    var effectiveSignInID: String { signInID ?? tokenDigest }

    /// Whether both credentials come from the same sign-in, even after refreshes.
    func isSameSignIn(as other: Credentials) -> Bool {
        token == other.token || effectiveSignInID == other.effectiveSignInID
    }

    /// Whether these credentials can replace others in their session: the sign-in or the user is the same.
    func continues(_ old: Credentials) -> Bool {
        isSameSignIn(as: old) || user.map { $0.accountID == old.user?.accountID } ?? false
    }

    private var tokenDigest: String {
        let digest = SHA256Digest.hash(token.text)
        return digest.prefix(16).hexadecimal
    }
}
