import Foundation

/// Generated accounts, made on demand: thousands of them need no fixtures and no memory.
struct GitHubCrowd: Sendable {
    private let count: Int
    private let firstID: Int64
    private let digits: Int
    /// The prefixes of logins; the seed selects one for each account.
    private let words: [String]
    private let seed: UInt64
    /// Whether searches find the accounts only if the text starts with their common prefix.
    private let isHidden: Bool

    /// 1,250 accounts, more than GitHub returns for one search: `everyone-0001` to `everyone-1250`.
    static let everyone = GitHubCrowd(
        count: 1250,
        firstID: 9_000_000_001,
        digits: 4,
        words: ["everyone"],
        seed: 0,
        isHidden: true
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
            isHidden: false
        )
    }

    /// The rows of all accounts.
    var rows: FixtureRows {
        FixtureRows(count: count) { account($0 + 1).row }
    }

    /// The accounts whose login contains a text in lowercase.
    func accounts(matching text: String) -> [GitHubFixtures.Account] {
        // The bundled crowd must not hide the other results of a short text.
        guard !isHidden || text.hasPrefix(words[0]) else { return [] }
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

/// The rows of a list, some of which are made on demand.
struct FixtureRows: RandomAccessCollection, Sendable {
    let count: Int
    private let row: @Sendable (Int) -> Data

    init(count: Int, row: @escaping @Sendable (Int) -> Data) {
        self.count = count
        self.row = row
    }

    init(_ rows: [Data]) {
        self.init(count: rows.count) { rows[$0] }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    subscript(position: Int) -> Data { row(position) }
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
