import BrowseDomain
import Foundation

extension GitHub.Credentials {
    /// What tells accounts apart in budgets and in what is kept; no secret can be told from it.
    ///
    /// The account's number, when it is known and the token is renewed: it outlives the token. One that is never renewed tells
    /// accounts apart by itself, from the first request of a run on, also when nobody notes whose it is.
    var account: String {
        if refreshToken != nil, let user { return "user \(user.id.rawValue)" }
        return "token " + tokenDigest
    }

    /// Identifies the sign-in that the credentials come from: a digest of the first token, which refreshes keep.
    var effectiveSignInID: String { signInID ?? tokenDigest }

    /// Whether both come from the same sign-in, however often they were refreshed since.
    func isSameSignIn(as other: GitHub.Credentials) -> Bool {
        token == other.token || effectiveSignInID == other.effectiveSignInID
    }

    private var tokenDigest: String {
        let digest = SHA256Digest.hash(token.text)
        return digest.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
