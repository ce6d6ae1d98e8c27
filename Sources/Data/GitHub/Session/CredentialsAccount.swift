import BrowseDomain
import Foundation

extension GitHub.Credentials {
    /// What tells accounts apart in budgets and in what is kept; no secret can be told from it.
    ///
    /// The account's number, when it is known and the token is renewed: it outlives the token. One that is never renewed tells
    /// accounts apart by itself, from the first request of a run on, also when nobody notes whose it is.
    var account: String {
        if refreshToken != nil, let user { return "user \(user.id.rawValue)" }
        let digest = SHA256Digest.hash(token.text)
        return "token " + digest.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
