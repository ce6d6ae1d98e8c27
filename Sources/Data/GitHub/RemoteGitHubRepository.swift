public import BrowseData

/// A repository on GitHub's REST API of accounts, followers, code repositories, and stars.
public struct RemoteGitHubRepository: Sendable {
    let client: HTTPClient
    let concurrency: Int
    let pageSize: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of `HTTPClient.Service.gitHub(baseURL:userAgent:)`.
    ///   - concurrency: The maximum number of concurrent requests for pages of stars, 1 to 100.
    ///   - pageSize: The number of rows on a page, 1 to 100.
    public init(client: HTTPClient, concurrency: Int = 4, pageSize: Int = 100) {
        self.client = client
        self.concurrency = concurrency
        // GitHub silently reduces larger ones.
        self.pageSize = min(max(pageSize, 1), 100)
    }
}
