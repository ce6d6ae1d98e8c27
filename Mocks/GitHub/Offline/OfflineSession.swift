import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// The changeable part of the offline GitHub: tokens, sign-ins, and stars.
struct OfflineSession: Sendable {
    /// The changes to an account's stars, by full names in lowercase.
    private struct Stars: Sendable {
        /// The added stars, the latest first; they come before those of the fixtures.
        var added: [String] = []
        /// The stars of the fixtures that were removed, also if they were added again.
        var removed: Set<String> = []
    }

    /// The account of the next sign-in.
    var signInLogin = "octocat"
    private var stars: [String: Stars] = [:]
    /// The accounts of issued tokens.
    private var logins: [String: String] = [:]
    private var revoked: Set<String> = []
    /// Whether tokens of other processes are invalid.
    private var refusesOthers = false
    /// The number of polls of each device code.
    private var polls: [String: Int] = [:]
    /// The sign-ins of the authorization codes.
    private var authorizations: [String: Authorization] = [:]
    private var count = 0

    /// A sign-in in a browser.
    private struct Authorization: Sendable {
        let challenge: String
        /// The chosen account; `nil` is that of the next sign-in.
        let login: String?
    }

    /// The number of polls that report a pending sign-in: a device gets its token after 20 seconds.
    static let pendingPolls = 3

    /// The account of a request's token, in lowercase; `nil` without a valid token.
    func login(of authorization: String?) -> String? {
        guard let token = authorization?.split(separator: " ", maxSplits: 1).last.map(String.init), !token.isEmpty,
            !revoked.contains(token)
        else { return nil }
        if let login = logins[token] { return login }
        guard !refusesOthers, let issued = token.wholeMatch(of: /gho_offline_(.+)_[^_]+/) else { return nil }
        return issued.1.lowercased()
    }

    mutating func issueToken(for login: String) -> String {
        count += 1
        let token = "gho_offline_\(login.lowercased())_\(count)"
        logins[token] = login.lowercased()
        return token
    }

    /// Adds or removes a star of an account; repeating it has no effect.
    ///
    /// - Parameter wasStarred: Whether the fixtures contain the star.
    mutating func set(_ isStarred: Bool, for fullName: String, by login: String, inFixtures wasStarred: Bool) {
        guard isStarred != self.isStarred(fullName, by: login, inFixtures: wasStarred) else { return }
        var changes = stars[login] ?? Stars()
        if isStarred {
            // The latest star, also if the fixtures contain an earlier one.
            changes.added.insert(fullName, at: 0)
        } else {
            changes.added.removeAll { $0 == fullName }
            if wasStarred { changes.removed.insert(fullName) }
        }
        stars[login] = changes
    }

    /// Whether an account has starred a repository, whose full name is in lowercase.
    func isStarred(_ fullName: String, by login: String, inFixtures wasStarred: Bool) -> Bool {
        let changes = stars[login] ?? Stars()
        return changes.added.contains(fullName) || wasStarred && !changes.removed.contains(fullName)
    }

    /// The stars that an account added, the latest first.
    func added(by login: String) -> [String] { stars[login]?.added ?? [] }

    /// The stars of the fixtures that an account removed.
    func removed(by login: String) -> Set<String> { stars[login]?.removed ?? [] }

    /// The difference between a repository's star count and that of the fixtures.
    func surplus(of fullName: String) -> Int {
        stars.values.reduce(0) { sum, changes in
            sum + (changes.added.contains(fullName) ? 1 : 0) - (changes.removed.contains(fullName) ? 1 : 0)
        }
    }

    /// Revokes all tokens; later sign-ins get valid ones.
    mutating func revokeAll() {
        refusesOthers = true
        logins = [:]
    }

    mutating func revoke(_ token: String) {
        revoked.insert(token)
    }

    /// Authorizes an app, and returns the code for it.
    mutating func authorize(challenge: String, as login: String?) -> String {
        count += 1
        let code = "offline-code-\(count)"
        authorizations[code] = Authorization(challenge: challenge, login: login?.lowercased())
        return code
    }

    /// Responds to `POST /login/device/code`.
    mutating func deviceCode() -> [String: any Sendable] {
        count += 1
        let code = "offline-device-\(count)"
        polls[code] = 0
        return [
            "device_code": code, "user_code": "WDJB-MJHT", "verification_uri": "https://github.com/login/device",
            "expires_in": 900, "interval": 5,
        ]
    }

    /// Responds to `POST /login/oauth/access_token`.
    mutating func accessToken(_ form: [String: String]) -> [String: any Sendable] {
        var login = signInLogin
        if let code = form["device_code"] {
            guard let asked = polls[code] else { return ["error": "incorrect_device_code"] }
            guard asked >= Self.pendingPolls else {
                polls[code] = asked + 1
                return ["error": "authorization_pending"]
            }
            polls[code] = nil
        } else {
            guard let authorization = form["code"].flatMap({ authorizations.removeValue(forKey: $0) }),
                let verifier = form["code_verifier"],
                SHA256Digest.hash(verifier).base64URL == authorization.challenge
            else { return ["error": "bad_verification_code"] }
            login = authorization.login ?? login
        }
        return ["access_token": issueToken(for: login), "token_type": "bearer", "scope": "public_repo"]
    }
}
