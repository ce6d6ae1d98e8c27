import BrowseCoreMocks
import Foundation

/// The repositories of ``OfflineGitHub``. If several files contain one, the first file is used.
struct GitHubRepoFixtures: Sendable {
    /// A repository of the files.
    struct Repo: Sendable {
        let id: Int64
        /// The owner and name, in lowercase.
        let fullName: String
        let ownerID: Int64
        let isPrivate: Bool
        /// The searched texts, in lowercase: the full name, the description, and the topics.
        let texts: [String]
        let stars: Int
        let forks: Int
        let created: String
        let updated: String
        let pushed: String
        /// The row in lists.
        let row: Data
    }

    /// An order of rows.
    enum Sort: String, Sendable {
        case fullName = "full_name"
        case created, updated, pushed, stars, forks
    }

    /// The README of a repository.
    struct Readme: Sendable {
        /// GitHub's response, which contains the text in Base64.
        let json: Data
        /// The file's bytes.
        let text: Data
    }

    private(set) var all: [Repo] = []
    /// The responses for single repositories, by number, as far as they have more than a row.
    private(set) var details: [Int64: Data] = [:]
    private(set) var readmes: [Int64: Readme] = [:]
    private var own: [String: [Repo]] = [:]
    private var starred: [String: [Repo]] = [:]
    private var places: [String: Int] = [:]

    /// Reads the files of repositories.
    init(_ files: Fixtures) throws {
        for name in files.names {
            guard let id = name.split(separator: "-", maxSplits: 1).last.flatMap({ Int64($0) }) else { continue }
            if name == "repo-\(id)" { details[id] = try files[name] }
            guard name == "readme-\(id)" else { continue }
            let content = try files.decoded([String: ContentField].self, name)["content"]?.text ?? ""
            let text = Data(base64Encoded: content, options: .ignoreUnknownCharacters) ?? Data()
            readmes[id] = Readme(json: try files[name], text: text)
        }
        for page in try FixturePage.all(of: ["repos", "private", "starred"], in: files) {
            let fields = try files.decoded([Row].self, page.name)
            guard let rows = try files[page.name].jsonRows(), rows.count == fields.count else {
                throw Fixtures.Unreadable(description: "\(page.name) isn't an array of repositories.")
            }
            for (fields, row) in zip(fields, rows) {
                let repo = add(Repo(fields, row: row))
                switch page.kind {
                case "starred": starred[page.login, default: []].append(repo)
                case "private": own[page.login, default: []].append(repo)
                default:
                    let owner = fields.owner.login.lowercased()
                    own[owner, default: []].append(repo)
                }
            }
        }
    }

    /// The repositories that an account owns or can access, public ones included.
    func own(of login: String) -> [Repo] { own[login.lowercased()] ?? [] }

    /// The repositories that an account has starred, the latest star first.
    func starred(by login: String) -> [Repo] { starred[login.lowercased()] ?? [] }

    /// Whether an account can access a repository; `nil` is a request without a token.
    func canAccess(_ repo: Repo, as login: String?) -> Bool {
        !repo.isPrivate || login.map { own(of: $0).contains { $0.id == repo.id } } ?? false
    }

    /// The repository with a full name, in any case.
    func repo(fullName: String) -> Repo? {
        places[fullName.lowercased()].map { all[$0] }
    }

    func publicRepos(of accountID: Int64) -> [Repo] {
        all.filter { $0.ownerID == accountID && !$0.isPrivate }
    }

    /// The accessible repositories with a text in their full name, description, or topics.
    func matches(of text: String, as login: String?) -> [Repo] {
        let text = text.lowercased()
        return all.filter { canAccess($0, as: login) && $0.texts.contains { $0.contains(text) } }
    }

    /// Sorts rows; equal rows keep their order.
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

    /// A field of a README's response, of which only texts are read.
    private struct ContentField: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    /// The fields of a row that the fixtures read.
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
