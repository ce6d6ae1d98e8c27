import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation

/// Response bodies in GitHub's format.
enum GitHubResponses {
    /// Returns a row of a list of accounts.
    static func row(id: Int, login: String? = nil) -> String {
        let login = login ?? "user-\(id)"
        return """
            {"login":"\(login)","id":\(id),"node_id":"MDQ6","avatar_url":"https://avatars.example/u/\(id)?v=4",\
            "html_url":"https://github.example/\(login)","type":"User","site_admin":false}
            """
    }

    /// Returns a list of accounts.
    static func list(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { row(id: $0) }.joined(separator: ",") + "]"
    }

    /// Returns a row of a list of code repositories with only the required fields.
    static func repo(id: Int) -> String {
        """
        {"id":\(id),"node_id":"R_x","name":"repo-\(id)","full_name":"octocat/repo-\(id)","private":false,\
        "owner":\(row(id: 1, login: "octocat")),"html_url":"https://github.example/octocat/repo-\(id)",\
        "description":null,"fork":false}
        """
    }

    /// Returns a list of code repositories.
    static func repos(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { repo(id: $0) }.joined(separator: ",") + "]"
    }

    /// Returns a page of search results.
    static func found(_ rows: String, total: Int, isIncomplete: Bool = false) -> String {
        #"{"total_count":\#(total),"incomplete_results":\#(isIncomplete),"items":\#(rows)}"#
    }

    /// Returns a profile.
    static func profile(id: Int = 1, login: String = "octocat") -> String {
        """
        {"login":"\(login)","id":\(id),"avatar_url":"https://avatars.example/u/\(id)?v=4",\
        "html_url":"https://github.example/\(login)","type":"User","name":"The Octocat","company":"@github",\
        "blog":"","location":"San Francisco","email":null,"bio":null,"public_repos":8,"public_gists":7,\
        "followers":23,"following":9,"created_at":"2011-01-25T18:44:36Z"}
        """
    }

    /// A refusal by GitHub itself, which has its request identifier.
    static let badCredentials = LoopbackResponse.json(
        #"{"message":"Bad credentials"}"#,
        status: 401,
        headers: [("X-GitHub-Request-Id", "1")]
    )

    /// Returns a valid body for the path of a list or a profile.
    static func good(for request: LoopbackServer.Request) -> LoopbackResponse {
        .json(request.target.contains("/follow") ? list([1, 2]) : profile())
    }
}

extension Page<GitHub.User> {
    /// The IDs of the rows.
    var ids: [Int64] { items.map(\.id.rawValue) }
}
