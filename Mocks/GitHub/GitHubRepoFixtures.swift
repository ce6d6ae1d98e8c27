import Foundation

/// The code repositories of GitHub's fixtures.
///
/// The files say by their names what they are: `repos-LOGIN-N` are code repositories of an account, `repos-own-N` those that
/// the holder of the token can reach besides its own public ones, `starred-N` those that it has starred, the latest star
/// first. One that stands in several files is the same one; the files are read in the order of their numbers.
struct GitHubRepoFixtures: Sendable {
    /// A code repository as the files tell of it.
    struct Repo: Sendable {
        let id: Int64
        /// Owner and name, in lower case.
        let fullName: String
        let ownerID: Int64
        let isPrivate: Bool
        /// What a search looks into, in lower case: the full name, the description, the topics.
        let texts: [String]
        let stars: Int
        let forks: Int
        let created: String
        let updated: String
        let pushed: String
        /// The row as GitHub sends it.
        let row: Data
    }

    /// What rows can be ordered by.
    enum Sort: String, Sendable {
        case fullName = "full_name"
        case created, updated, pushed, stars, forks
    }

    /// The account that holds every token.
    static let holder = "octocat"

    private(set) var all: [Repo] = []
    private(set) var own: [Repo] = []
    private(set) var starred: [Repo] = []
    private var places: [String: Int] = [:]

    /// Reads the fixtures of these names.
    init(names: [String]) throws {
        for file in names.compactMap(File.init).sorted() {
            let fixture = try Fixture(file.name)
            let fields = try JSONDecoder().decode([Row].self, from: fixture.data)
            guard let rows = fixture.data.jsonRows(), rows.count == fields.count else {
                throw GitHubFixtures.Unreadable(description: "\(file.name) is not a list of rows.")
            }
            for (fields, row) in zip(fields, rows) {
                let repo = add(Repo(fields, row: row))
                switch file.list {
                case .starred: starred.append(repo)
                case .own: own.append(repo)
                case .account: if fields.owner.login.lowercased() == Self.holder { own.append(repo) }
                }
            }
        }
    }

    /// The one that has a full name, whatever its case.
    func repo(fullName: String) -> Repo? {
        places[fullName.lowercased()].map { all[$0] }
    }

    /// What an account shows to everybody.
    func publicRepos(of accountID: Int64) -> [Repo] {
        all.filter { $0.ownerID == accountID && !$0.isPrivate }
    }

    /// What has a text in its full name, its description or its topics.
    func matches(of text: String, includingPrivate: Bool) -> [Repo] {
        let text = text.lowercased()
        return all.filter { (includingPrivate || !$0.isPrivate) && $0.texts.contains { $0.contains(text) } }
    }

    /// Rows in an order; of two that are equal in it, the first stays before the other.
    static func sorted(_ repos: [Repo], by sort: Sort, descending: Bool) -> [Repo] {
        func isBefore(_ left: Repo, _ right: Repo) -> Bool {
            switch sort {
            case .fullName: left.fullName < right.fullName
            case .created: left.created < right.created
            case .updated: left.updated < right.updated
            case .pushed: left.pushed < right.pushed
            case .stars: left.stars < right.stars
            case .forks: left.forks < right.forks
            }
        }
        return repos.enumerated().sorted { left, right in
            if isBefore(left.element, right.element) { return !descending }
            if isBefore(right.element, left.element) { return descending }
            return left.offset < right.offset
        }
        .map(\.element)
    }

    private mutating func add(_ repo: Repo) -> Repo {
        if let place = places[repo.fullName] { return all[place] }
        places[repo.fullName] = all.count
        all.append(repo)
        return repo
    }

    /// What is looked for in a row.
    fileprivate struct Row: Decodable {
        struct Owner: Decodable {
            let id: Int64
            let login: String
        }

        let id: Int64
        let fullName: String
        let owner: Owner
        let isPrivate: Bool
        let description: String?
        let topics: [String]?
        let stars: Int?
        let forks: Int?
        let created: String?
        let updated: String?
        let pushed: String?

        private enum CodingKeys: String, CodingKey {
            case id, owner, description, topics
            case fullName = "full_name"
            case isPrivate = "private"
            case stars = "stargazers_count"
            case forks = "forks_count"
            case created = "created_at"
            case updated = "updated_at"
            case pushed = "pushed_at"
        }
    }

    /// One file of a list.
    private struct File: Comparable {
        enum List {
            case account, own, starred
        }

        let name: String
        let list: List
        private let number: Int

        init?(_ name: String) {
            let parts = name.split(separator: "/").last?.split(separator: "-") ?? []
            guard parts.count > 1, let number = Int(parts[parts.count - 1]) else { return nil }
            switch (parts[0], parts.dropFirst().dropLast().joined(separator: "-")) {
            case ("starred", ""): list = .starred
            case ("repos", "own"): list = .own
            case ("repos", let login) where !login.isEmpty: list = .account
            default: return nil
            }
            self.name = name
            self.number = number
        }

        static func < (left: File, right: File) -> Bool {
            (left.number, left.name) < (right.number, right.name)
        }
    }
}

extension GitHubRepoFixtures.Repo {
    fileprivate init(_ fields: GitHubRepoFixtures.Row, row: Data) {
        id = fields.id
        fullName = fields.fullName.lowercased()
        ownerID = fields.owner.id
        isPrivate = fields.isPrivate
        texts = ([fields.fullName, fields.description ?? ""] + (fields.topics ?? [])).map { $0.lowercased() }
        stars = fields.stars ?? 0
        forks = fields.forks ?? 0
        created = fields.created ?? ""
        updated = fields.updated ?? ""
        pushed = fields.pushed ?? ""
        self.row = row
    }
}
