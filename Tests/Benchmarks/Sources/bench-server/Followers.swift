/// The server's followers: 100 pages of 100 rows in GitHub's format.
struct Followers: Sendable {
    static let pageCount = 100
    static let rowsPerPage = 100
    /// The account's ID in links, as in GitHub's links.
    static let owner = 583_231

    /// The bodies, first page first.
    let pages: [String]

    init() {
        pages = (0..<Self.pageCount).map { page in
            let rows = (0..<Self.rowsPerPage).map { Self.row(page * Self.rowsPerPage + $0) }
            return "[" + rows.joined(separator: ",") + "]"
        }
    }

    /// GitHub's "simple user" with all URLs, about 1,000 bytes.
    private static func row(_ index: Int) -> String {
        let login = login(index)
        let id = 1_000_003 + index * 9_973
        let api = "https://api.github.com/users/\(login)"
        return """
            {"login":"\(login)","id":\(id),"node_id":"U_kgDO\(String(id, radix: 36))",\
            "avatar_url":"https://avatars.githubusercontent.com/u/\(id)?v=4","gravatar_id":"","url":"\(api)",\
            "html_url":"https://github.com/\(login)","followers_url":"\(api)/followers",\
            "following_url":"\(api)/following{/other_user}","gists_url":"\(api)/gists{/gist_id}",\
            "starred_url":"\(api)/starred{/owner}{/repo}","subscriptions_url":"\(api)/subscriptions",\
            "organizations_url":"\(api)/orgs","repos_url":"\(api)/repos","events_url":"\(api)/events{/privacy}",\
            "received_events_url":"\(api)/received_events","type":"\(index.isMultiple(of: 50) ? "Bot" : "User")",\
            "user_view_type":"public","site_admin":false}
            """
    }

    /// Logins of 6 to 20 letters.
    private static func login(_ index: Int) -> String {
        let first = ["mona", "haneul", "ada", "vellamo", "grace-h", "linus", "margaret", "kim-dev"]
        let second = ["", "-codes", "lab", "-k"]
        return first[index % first.count] + second[index / first.count % second.count] + String(index, radix: 16)
    }
}
