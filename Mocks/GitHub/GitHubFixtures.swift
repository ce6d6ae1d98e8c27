import BrowseDomain
import Foundation

/// The people and lists of GitHub's fixtures.
///
/// The files say by their names what they are: `user-*` is a profile, `followers-LOGIN-N` and `following-LOGIN-N` are the
/// pages of a list; ``GitHubRepoFixtures`` tells how code repositories are called. So a new file needs no code.
struct GitHubFixtures: Sendable {
    /// An account as the files tell of it.
    struct Account: Sendable {
        let id: Int64
        let login: String
        /// The name that a person goes by.
        let name: String?
        /// The account as it stands in lists.
        let row: Data
        /// The profile as GitHub sends it, when there is one.
        var profile: Data?
    }

    /// Why the fixtures cannot be used.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The bundled fixtures, read once.
    static let bundled = Result<GitHubFixtures, Unreadable> { () throws(Unreadable) in try GitHubFixtures() }

    /// The code repositories.
    let repos: GitHubRepoFixtures
    private var accounts: [String: Account] = [:]
    /// The keys of the accounts, in the order in which the files name them.
    private var keys: [String] = []
    private var keysByID: [Int64: String] = [:]
    private var rows: [GitHub.FollowList: [Data]] = [:]

    /// The account of a login, whatever its case.
    func account(login: String) -> Account? {
        let key = login.lowercased()
        return accounts[key] ?? GitHubCrowd.account(login: key)
    }

    /// The account of a number.
    func account(id: Int64) -> Account? {
        keysByID[id].flatMap { accounts[$0] } ?? GitHubCrowd.account(id: id)
    }

    /// The rows of a list, each as GitHub sends it.
    func rows(of list: FollowKind, for account: Account) -> [Data] {
        rows[list.list(of: account.login)] ?? []
    }

    /// The accounts that have a text in their login or name; who is called so comes first, then whose login begins so.
    func accounts(matching text: String) -> [Account] {
        let text = text.lowercased()
        var found: [[Account]] = [[], [], []]
        for key in keys {
            guard let account = accounts[key],
                key.contains(text) || account.name?.lowercased().contains(text) == true
            else { continue }
            found[key == text ? 0 : key.hasPrefix(text) ? 1 : 2].append(account)
        }
        return found.flatMap(\.self) + GitHubCrowd.accounts(matching: text)
    }

    /// The profile of an account, as GitHub sends it.
    ///
    /// Of somebody of whom there is nothing but a row, it is the row, and nothing told about themselves.
    func profile(of account: Account) -> Data {
        if let profile = account.profile { return profile }
        let nothing = """
            ,"name":null,"company":null,"blog":"","location":null,"email":null,"hireable":null,"bio":null,\
            "twitter_username":null,"public_repos":\(repos.publicRepos(of: account.id).count),"public_gists":0,\
            "followers":0,"following":0,"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z"}
            """
        // A row is an object, so its last byte is the brace.
        return account.row.dropLast() + Data(nothing.utf8)
    }

    private init() throws(Unreadable) {
        do {
            let names = try Fixture.names(in: "GitHub")
            repos = try GitHubRepoFixtures(names: names)
            for page in names.compactMap(ListPage.init).sorted() {
                rows[page.list, default: []] += try add(Fixture(page.name))
            }
            // After the rows, which are sent as they were recorded.
            for name in names where name.hasPrefix("GitHub/user-") { try add(profile: Fixture(name).data) }
        } catch {
            throw Unreadable(description: "The GitHub fixtures cannot be read: \(error)")
        }
    }

    private mutating func add(_ page: Fixture) throws -> [Data] {
        let people = try JSONDecoder().decode([Row].self, from: page.data)
        guard let rows = page.data.jsonRows(), rows.count == people.count else {
            throw Unreadable(description: "\(page.name) is not a list of rows.")
        }
        for (person, row) in zip(people, rows) {
            add(Account(id: person.id, login: person.login, name: nil, row: row))
        }
        return rows
    }

    private mutating func add(profile: Data) throws {
        let person = try JSONDecoder().decode(Row.self, from: profile)
        let row = try accounts[person.login.lowercased()]?.row ?? Self.row(of: profile)
        add(Account(id: person.id, login: person.login, name: person.name, row: row, profile: profile))
    }

    private mutating func add(_ account: Account) {
        let key = account.login.lowercased()
        if accounts.updateValue(account, forKey: key) == nil { keys.append(key) }
        keysByID[account.id] = key
    }

    /// What of a profile stands in lists.
    private static func row(of profile: Data) throws -> Data {
        let names: Set = [
            "login", "id", "node_id", "avatar_url", "gravatar_id", "url", "html_url", "followers_url", "following_url",
            "gists_url", "starred_url", "subscriptions_url", "organizations_url", "repos_url", "events_url",
            "received_events_url", "type", "user_view_type", "site_admin",
        ]
        let fields = try JSONSerialization.jsonObject(with: profile) as? [String: Any] ?? [:]
        return try JSONSerialization.data(withJSONObject: fields.filter { names.contains($0.key) })
    }

    /// What is looked for in a row or a profile.
    private struct Row: Decodable {
        let id: Int64
        let login: String
        let name: String?
    }

    /// One file of a list.
    private struct ListPage: Comparable {
        let name: String
        let list: GitHub.FollowList
        private let number: Int

        init?(_ name: String) {
            let parts = name.split(separator: "/").last?.split(separator: "-") ?? []
            guard parts.count > 2, let kind = FollowKind(rawValue: String(parts[0])), let number = Int(parts.last ?? "")
            else { return nil }
            self.name = name
            self.list = kind.list(of: parts.dropFirst().dropLast().joined(separator: "-"))
            self.number = number
        }

        static func < (lhs: ListPage, rhs: ListPage) -> Bool {
            lhs.number < rhs.number
        }
    }
}

/// Which of the two lists of an account it is, as paths and files call it.
enum FollowKind: String, Sendable {
    case followers
    case following

    /// The list of an account; the key by which fixtures are found.
    func list(of login: String) -> GitHub.FollowList {
        let login = GitHub.Login(login.lowercased())
        return switch self {
        case .followers: .followers(of: login)
        case .following: .following(by: login)
        }
    }
}

extension Result {
    fileprivate init(_ make: () throws(Failure) -> Success) {
        do throws(Failure) {
            self = .success(try make())
        } catch {
            self = .failure(error)
        }
    }
}
