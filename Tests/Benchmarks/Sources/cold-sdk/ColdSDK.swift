import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import Foundation

/// Loads 100 pages of followers as an app does after its installation, and ends.
///
/// The arguments are the number of pages at once, the server's URL, and an empty folder.
@main
struct ColdSDK {
    @concurrent
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let concurrency = Int(arguments[1]), let url = URL(string: arguments[2]) else {
            exit(2)
        }
        let folder = URL(filePath: arguments[3], directoryHint: .isDirectory)
        let container = Container(
            Configuration().with {
                $0.userAgent = "Bench"
                $0.storageFolder = folder
                $0.requestConcurrency = concurrency
                $0.gitHub.url = url
            }
        )
        let repository = container.followerRepository()
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        var rows: [GitHub.User] = []
        if concurrency > 1 {
            try await repository.pages(of: list, from: nil, concurrency: concurrency) { rows += $0.items }
        } else {
            var cursor: PageCursor?
            repeat {
                let page = try await repository.page(of: list, at: cursor)
                rows += page.items
                cursor = page.next
            } while cursor != nil
        }
        guard rows.count == 10_000 else { exit(1) }
    }
}
