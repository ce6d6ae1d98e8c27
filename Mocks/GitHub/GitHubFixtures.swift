import BrowseDomain
import Foundation

/// The people and lists of GitHub's fixtures.
///
/// The files say by their names what they are: `user-*` is a profile, `followers-LOGIN-N` and `following-LOGIN-N` are the
/// pages of a list. So a new file needs no code.
struct GitHubFixtures: Sendable {
    /// An account as the files tell of it.
    struct Account: Sendable {
        let id: Int64
        let login: String
        /// The profile as GitHub sends it.
        let profile: Data
    }

    /// Why the fixtures cannot be used.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The bundled fixtures, read once.
    static let bundled = Result<GitHubFixtures, Unreadable> { () throws(Unreadable) in try GitHubFixtures() }

    private var accounts: [String: Account] = [:]
    private var loginsByID: [Int64: String] = [:]
    private var rows: [GitHub.FollowList: [Data]] = [:]

    /// The account of a login, whatever its case.
    func account(login: String) -> Account? {
        accounts[login.lowercased()]
    }

    /// The account of a number.
    func account(id: Int64) -> Account? {
        loginsByID[id].flatMap(account(login:))
    }

    /// The rows of a list, each as GitHub sends it.
    func rows(of list: FollowKind, for account: Account) -> [Data] {
        rows[list.list(of: account.login)] ?? []
    }

    private init() throws(Unreadable) {
        do {
            let names = try Fixture.names(in: "GitHub")
            for page in names.compactMap(ListPage.init).sorted() {
                rows[page.list, default: []] += try add(Fixture(page.name))
            }
            // After the rows: a profile of its own counts more than one that was made of a row.
            for name in names where name.hasPrefix("GitHub/user-") {
                let profile = try Fixture(name).data
                add(try JSONDecoder().decode(Row.self, from: profile), profile: profile)
            }
        } catch {
            throw Unreadable(description: "The GitHub fixtures cannot be read: \(error)")
        }
    }

    private mutating func add(_ page: Fixture) throws -> [Data] {
        let people = try JSONDecoder().decode([Row].self, from: page.data)
        guard let rows = page.data.jsonRows(), rows.count == people.count else {
            throw Unreadable(description: "\(page.name) is not a list of rows.")
        }
        for (person, row) in zip(people, rows) { add(person, profile: Self.profile(of: row)) }
        return rows
    }

    private mutating func add(_ person: Row, profile: Data) {
        accounts[person.login.lowercased()] = Account(id: person.id, login: person.login, profile: profile)
        loginsByID[person.id] = person.login
    }

    /// The profile of somebody of whom there is nothing but a row: the row, and nothing told about themselves.
    private static func profile(of row: Data) -> Data {
        let nothing = """
            ,"name":null,"company":null,"blog":"","location":null,"email":null,"hireable":null,"bio":null,\
            "twitter_username":null,"public_repos":0,"public_gists":0,"followers":0,"following":0,\
            "created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z"}
            """
        // A row is an object, so its last byte is the brace.
        return row.dropLast() + Data(nothing.utf8)
    }

    /// What is looked for in a row or a profile.
    private struct Row: Decodable {
        let id: Int64
        let login: String
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
