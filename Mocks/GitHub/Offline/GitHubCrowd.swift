import BrowseCoreMocks
import Foundation

/// Generated accounts, made on demand: thousands of them need no fixtures and no memory.
struct GitHubCrowd: Sendable {
    private let count: Int
    private let firstID: Int64
    private let digits: Int
    /// The prefixes of logins; the seed selects one for each account.
    private let words: [String]
    private let seed: UInt64
    private let search: Search

    /// The searches that find the accounts.
    private enum Search {
        /// Those with a text in a login.
        case text
        /// Those that start with the accounts' prefix.
        ///
        /// The crowd must not hide the other results of a short text.
        case prefix
        case none
    }

    /// 1,250 accounts, more than GitHub returns for one search: `everyone-0001` to `everyone-1250`.
    static let everyone = GitHubCrowd(
        count: 1250,
        firstID: 9_000_000_001,
        digits: 4,
        words: ["everyone"],
        seed: 0,
        search: .prefix
    )

    /// The followers of an account.
    static func followers(_ count: Int, seed: UInt64) -> GitHubCrowd {
        GitHubCrowd(
            count: min(max(0, count), 1_000_000),
            firstID: 100_000_000_001 + Int64(SplitMix.mixed(seed) % 1_000_000) * 1_000_000,
            digits: 6,
            words: [
                "amber", "brave", "calm", "daring", "eager", "fuzzy", "gentle", "happy", "keen", "lucky", "quiet",
                "witty",
            ],
            seed: seed,
            search: .text
        )
    }

    /// The accounts of a list whose files contain fewer than the profile counts; searches don't
    /// find them.
    ///
    /// - Parameters:
    ///   - count: The number of accounts, 0 to 10,000,000; other values are clamped.
    ///   - list: The kind of the list.
    ///   - login: The account of the list, in lowercase.
    static func rest(_ count: Int, of list: FollowKind, for login: String) -> GitHubCrowd {
        let name = "\(login)-\(list.rawValue)"
        return GitHubCrowd(
            count: min(max(0, count), 10_000_000),
            firstID: 10_000_000_000_001 + Int64(Data(name.utf8).digest % 100_000) * 10_000_000,
            digits: 6,
            words: [name],
            seed: 0,
            search: .none
        )
    }

    /// The rows of all accounts.
    var rows: FixtureRows {
        FixtureRows(count: count) { account($0 + 1).row }
    }

    /// The accounts whose login contains a text in lowercase.
    func accounts(matching text: String) -> [GitHubFixtures.Account] {
        switch search {
        case .none: return []
        case .prefix: guard text.hasPrefix(words[0]) else { return [] }
        case .text: break
        }
        return (0..<count).map { $0 + 1 }.filter { login($0).contains(text) }.map(account)
    }

    /// The account of a login in lowercase.
    func account(login: String) -> GitHubFixtures.Account? {
        guard let number = login.split(separator: "-").last.flatMap({ Int($0) }), 1 <= number, number <= count,
            login == self.login(number)
        else { return nil }
        return account(number)
    }

    func account(id: Int64) -> GitHubFixtures.Account? {
        guard firstID <= id, id < firstID + Int64(count) else { return nil }
        return account(Int(truncatingIfNeeded: id - firstID) + 1)
    }

    private func login(_ number: Int) -> String {
        let text = String(number)
        let hash = SplitMix.mixed(seed ^ SplitMix.mixed(UInt64(number)))
        let word = words[Int(truncatingIfNeeded: hash % UInt64(words.count))]
        return word + "-" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private func account(_ number: Int) -> GitHubFixtures.Account {
        GitHubFixtures.Account(generated: login(number), id: firstID + Int64(number) - 1)
    }
}

extension GitHubFixtures.Account {
    /// An account that exists in a row only.
    init(generated login: String, id: Int64) {
        let row = """
            {"login":"\(login)","id":\(id),"avatar_url":"https://avatars.githubusercontent.com/u/\(id)?v=4",\
            "gravatar_id":"","url":"https://api.github.com/users/\(login)","html_url":"https://github.com/\(login)",\
            "type":"User","user_view_type":"public","site_admin":false}
            """
        self.init(id: id, login: login, name: nil, row: Data(row.utf8))
    }
}
