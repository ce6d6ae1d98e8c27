import BrowseData
import BrowseDomain
import Foundation

/// What people change at the offline GitHub: who is let in, and what they have starred.
struct OfflineSession: Sendable {
    /// Full names in lower case, the latest star first, in front of those of the fixtures.
    private(set) var starred: [String] = []
    /// Full names in lower case of what was starred in the fixtures and is not any more.
    private(set) var unstarred: Set<String> = []
    private var revoked: Set<String> = []
    private var refusesAll = false
    /// How often it was asked whether the person has typed a code.
    private var polls: [String: Int] = [:]
    /// The challenges of the codes that browsers came back with.
    private var challenges: [String: String] = [:]
    private var count = 0

    /// How often a device hears that the person has not typed the code yet.
    static let pendingPolls = 1

    /// Whether a request is of somebody who is let in: any token that was not taken back.
    func accepts(_ authorization: String?) -> Bool {
        guard let authorization, !authorization.isEmpty else { return false }
        return !refusesAll && !revoked.contains(authorization)
    }

    /// Stars a code repository, or takes the star back.
    ///
    /// - Parameter wasStarred: Whether the fixtures have it starred.
    mutating func set(_ isStarred: Bool, for fullName: String, inFixtures wasStarred: Bool) {
        let name = fullName.lowercased()
        starred.removeAll { $0 == name }
        unstarred.remove(name)
        if isStarred, !wasStarred { starred.insert(name, at: 0) }
        if !isStarred, wasStarred { unstarred.insert(name) }
    }

    /// How many stars more than in the fixtures a code repository has.
    func surplus(of fullName: String) -> Int {
        starred.contains(fullName) ? 1 : unstarred.contains(fullName) ? -1 : 0
    }

    /// Takes back every token, until somebody is let in again.
    mutating func revokeAll() {
        refusesAll = true
    }

    /// Takes back a token.
    mutating func revoke(_ token: String) {
        revoked.insert("Bearer \(token)")
    }

    /// Agrees to let an app in, as a person does on the page; the answer is the code for the app.
    mutating func agree(challenge: String) -> String {
        count += 1
        let code = "offline-code-\(count)"
        challenges[code] = challenge
        return code
    }

    /// Answers `POST /login/device/code`.
    mutating func deviceCode() -> [String: any Sendable] {
        count += 1
        let code = "offline-device-\(count)"
        polls[code] = 0
        return [
            "device_code": code, "user_code": "WDJB-MJHT", "verification_uri": "https://github.com/login/device",
            "expires_in": 900, "interval": 1,
        ]
    }

    /// Answers `POST /login/oauth/access_token`.
    mutating func accessToken(_ form: [String: String]) -> [String: any Sendable] {
        if let code = form["device_code"] {
            guard let asked = polls[code] else { return ["error": "incorrect_device_code"] }
            guard asked >= Self.pendingPolls else {
                polls[code] = asked + 1
                return ["error": "authorization_pending"]
            }
            polls[code] = nil
        } else {
            guard let challenge = form["code"].flatMap({ challenges.removeValue(forKey: $0) }),
                let verifier = form["code_verifier"], SHA256Digest.hash(verifier).base64URL == challenge
            else { return ["error": "bad_verification_code"] }
        }
        count += 1
        refusesAll = false
        return ["access_token": "gho_offline\(count)", "token_type": "bearer", "scope": "public_repo"]
    }
}
