import Foundation

/// 1,250 made-up accounts, more than GitHub hands out of one search: `everyone-0001` to `everyone-1250`.
///
/// They are made when they are asked for, since a fixture of them would be larger than all others together.
enum GitHubCrowd {
    private static let count = 1250
    private static let word = "everyone"

    /// The accounts whose login contains a text; none unless the text begins with the whole word, so that the crowd does
    /// not drown what else a short text finds.
    static func accounts(matching text: String) -> [GitHubFixtures.Account] {
        guard text.hasPrefix(word) else { return [] }
        return (1...count).filter { login($0).contains(text) }.map(account)
    }

    /// The account of a login, in lower case.
    static func account(login: String) -> GitHubFixtures.Account? {
        guard login.hasPrefix(word + "-"), let number = Int(login.dropFirst(word.count + 1)),
            (1...count).contains(number),
            login == self.login(number)
        else { return nil }
        return account(number)
    }

    /// The account of a number of GitHub's.
    static func account(id: Int64) -> GitHubFixtures.Account? {
        let number = id - firstID + 1
        return (1...Int64(count)).contains(number) ? account(Int(clamping: number)) : nil
    }

    private static let firstID: Int64 = 9_000_000_001

    private static func login(_ number: Int) -> String {
        let digits = String(number)
        return word + "-" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func account(_ number: Int) -> GitHubFixtures.Account {
        let (login, id) = (login(number), firstID + Int64(number) - 1)
        let row = """
            {"login":"\(login)","id":\(id),"avatar_url":"https://avatars.githubusercontent.com/u/\(id)?v=4",\
            "gravatar_id":"","url":"https://api.github.com/users/\(login)","html_url":"https://github.com/\(login)",\
            "type":"User","user_view_type":"public","site_admin":false}
            """
        return GitHubFixtures.Account(id: id, login: login, name: nil, row: Data(row.utf8))
    }
}
