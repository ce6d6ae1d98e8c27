import BrowseCoreMocks
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// The accounts and lists of ``OfflineGitHub``.
struct GitHubFixtures: Sendable {
    /// An account of the files.
    struct Account: Sendable {
        let id: Int64
        let login: String
        /// The person's name.
        let name: String?
        /// The account's row in lists.
        let row: Data
        /// The profile, when there is a file of it.
        var profile: Data?
    }

    let repos: GitHubRepoFixtures
    private var accounts: [String: Account] = [:]
    /// The keys of the accounts, in the order in which the files name them.
    private var keys: [String] = []
    private var keysByID: [Int64: String] = [:]
    private var rows: [GitHub.FollowList: [Data]] = [:]
    private var crowds: [GitHubCrowd] = [.everyone]
    /// The generated followers, by the key of the followed account.
    private var generatedFollowers: [String: GitHubCrowd] = [:]
    /// The generated rows after those of the files, so that lists have as many rows as profiles
    /// count.
    private var rest: [GitHub.FollowList: GitHubCrowd] = [:]

    /// The account of a login, in any case.
    func account(login: String) -> Account? {
        let key = login.lowercased()
        return accounts[key] ?? crowds.lazy.compactMap { $0.account(login: key) }.first
    }

    /// The logins to choose from: those of the profiles, or else of the first rows.
    var shownLogins: [String] {
        let all = keys.compactMap { accounts[$0] }
        let known = all.filter { $0.profile != nil }
        return (known.isEmpty ? all : known).prefix(10).map(\.login)
    }

    func account(id: Int64) -> Account? {
        keysByID[id].flatMap { accounts[$0] } ?? crowds.lazy.compactMap { $0.account(id: id) }.first
    }

    func rows(of list: FollowKind, for account: Account) -> FixtureRows {
        if list == .followers, let crowd = generatedFollowers[account.login.lowercased()] { return crowd.rows }
        let list = list.list(of: account.login)
        let rows = rows[list] ?? []
        guard let rest = rest[list]?.rows else { return FixtureRows(rows) }
        return FixtureRows(count: rows.count + rest.count) { $0 < rows.count ? rows[$0] : rest[$0 - rows.count] }
    }

    /// The fixtures with generated followers of an account, which is added when it doesn't exist.
    func adding(_ crowd: GitHubCrowd, to login: String) -> GitHubFixtures {
        var fixtures = self
        let key = login.lowercased()
        fixtures.addOwner(login)
        fixtures.crowds.append(crowd)
        fixtures.generatedFollowers[key] = crowd
        return fixtures
    }

    /// The accounts with a text in their login or name: exact logins, then prefixes, then others.
    func accounts(matching text: String) -> [Account] {
        let text = text.lowercased()
        var found: [[Account]] = [[], [], []]
        for key in keys {
            guard let account = accounts[key],
                key.contains(text) || account.name?.lowercased().contains(text) == true
            else { continue }
            found[key == text ? 0 : key.hasPrefix(text) ? 1 : 2].append(account)
        }
        // The followers of several accounts can be the same.
        var ids: Set<Int64> = []
        return (found.flatMap(\.self) + crowds.flatMap { $0.accounts(matching: text) })
            .filter { ids.insert($0.id).inserted }
    }

    /// The profile of an account; without a profile file, its row with empty fields.
    ///
    /// Its counts are those of its lists.
    func profile(of account: Account) throws -> Data {
        let followers = rows(of: .followers, for: account).count
        let following = rows(of: .following, for: account).count
        let publicRepos = repos.publicRepos(of: account.id).count
        if let profile = account.profile {
            guard var fields = try JSONSerialization.jsonObject(with: profile) as? [String: Any] else { return profile }
            var isChanged = false
            for (name, count) in [("followers", followers), ("following", following), ("public_repos", publicRepos)]
            where fields[name] is Int && fields[name] as? Int != count {
                fields[name] = count
                isChanged = true
            }
            return isChanged ? try JSONSerialization.data(withJSONObject: fields) : profile
        }
        let nothing = """
            ,"name":null,"company":null,"blog":"","location":null,"email":null,"hireable":null,"bio":null,\
            "twitter_username":null,"public_repos":\(publicRepos),"public_gists":0,\
            "followers":\(followers),"following":\(following),"created_at":"2020-01-01T00:00:00Z",\
            "updated_at":"2020-01-01T00:00:00Z"}
            """
        // A row is an object, so its last byte is the brace.
        return account.row.dropLast() + Data(nothing.utf8)
    }

    /// Reads the files of accounts and repositories.
    init(_ files: Fixtures) throws(Fixtures.Unreadable) {
        let names = files.names
        do {
            repos = try GitHubRepoFixtures(files)
            for page in try FixturePage.all(of: ["followers", "following"], in: files) {
                guard let list = FollowKind(rawValue: page.kind)?.list(of: page.login) else { continue }
                rows[list, default: []] += try add(page.name, of: files)
            }
            // After the rows, which stay as they are.
            for name in names where name.hasPrefix("user-") { try add(profile: name, of: files) }
            for repo in repos.all { addOwner(String(repo.fullName.prefix { $0 != "/" }), id: repo.ownerID) }
            for login in rows.keys.map(\.owner.rawValue).sorted() { addOwner(login) }
        } catch let error as Fixtures.Unreadable {
            throw error
        } catch {
            throw Fixtures.Unreadable(description: "The data can't be read: \(error)")
        }
    }

    private mutating func add(_ name: String, of files: Fixtures) throws -> [Data] {
        let people = try files.decoded([Row].self, name)
        guard let rows = try files[name].jsonRows(), rows.count == people.count else {
            throw Fixtures.Unreadable(description: "\(name) isn't an array of accounts.")
        }
        for (person, row) in zip(people, rows) {
            add(Account(id: person.id, login: person.login, name: nil, row: row))
        }
        return rows
    }

    private mutating func add(profile name: String, of files: Fixtures) throws {
        let person = try files.decoded(Row.self, name)
        let profile = try files[name]
        let row = try accounts[person.login.lowercased()]?.row ?? Self.row(of: profile)
        add(Account(id: person.id, login: person.login, name: person.name, row: row, profile: profile))
        addRest(person.followers, to: .followers, of: person.login)
        addRest(person.following, to: .following, of: person.login)
    }

    /// Generates the rows that a profile counts, and that no file contains.
    private mutating func addRest(_ count: Int?, to kind: FollowKind, of login: String) {
        let list = kind.list(of: login)
        let missing = (count ?? 0) - (rows[list]?.count ?? 0)
        guard missing > 0 else { return }
        let crowd = GitHubCrowd.rest(missing, of: kind, for: login.lowercased())
        rest[list] = crowd
        crowds.append(crowd)
    }

    /// Adds the owner of a list or a repository, unless a file or a crowd has the account.
    private mutating func addOwner(_ login: String, id: Int64? = nil) {
        // A file can have the account under a new login.
        guard account(login: login) == nil, id.flatMap({ account(id: $0) }) == nil else { return }
        let generated = 1_000_000_000_000 + Int64(Data(login.lowercased().utf8).digest >> 24)
        add(Account(generated: login, id: id ?? generated))
    }

    private mutating func add(_ account: Account) {
        let key = account.login.lowercased()
        if accounts.updateValue(account, forKey: key) == nil { keys.append(key) }
        keysByID[account.id] = key
    }

    /// The fields of a profile that rows have.
    private static func row(of profile: Data) throws -> Data {
        let names: Set = [
            "login", "id", "node_id", "avatar_url", "gravatar_id", "url", "html_url", "followers_url", "following_url",
            "gists_url", "starred_url", "subscriptions_url", "organizations_url", "repos_url", "events_url",
            "received_events_url", "type", "user_view_type", "site_admin",
        ]
        let fields = try JSONSerialization.jsonObject(with: profile) as? [String: Any] ?? [:]
        return try JSONSerialization.data(withJSONObject: fields.filter { names.contains($0.key) })
    }

    /// The fields of a row or a profile that the fixtures read.
    private struct Row: Decodable {
        let id: Int64
        let login: String
        let name: String?
        let followers: Int?
        let following: Int?
    }
}
