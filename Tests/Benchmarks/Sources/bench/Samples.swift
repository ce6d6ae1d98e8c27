import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
@testable import BrowsePresentation
import Foundation

/// Generated pages, like those of a repository.
enum Samples {
    static let rowsPerPage = 100
    /// The number of pages with 10,000 rows.
    static let manyPages = 100

    static let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)

    static func users(_ range: Range<Int>) -> [GitHub.User] {
        range.map { index in
            let login = "follower-\(String(index, radix: 36))" + (index.isMultiple(of: 3) ? "-codes" : "")
            let id = 1_000_003 + Int64(index) * 9_973
            return GitHub.User(
                id: GitHub.User.ID(rawValue: id),
                login: GitHub.Login(login),
                avatar: WebAddress(rawValue: "https://avatars.githubusercontent.com/u/\(id)?v=4"),
                webPage: WebAddress(rawValue: "https://github.com/\(login)")
            )
        }
    }

    static func page(_ number: Int) -> Page<GitHub.User> {
        let start = number * rowsPerPage
        return Page(items: users(start..<start + rowsPerPage), next: PageCursor(rawValue: "page=\(number + 1)"))
    }

    /// Returns a screen with the followers of a repository, and without favorites.
    @MainActor
    static func followerScreen(_ repository: EndlessFollowers) -> FollowerListViewModel {
        let container = Container(Configuration().with { $0.loadPolicy = .fresh })
        container.texts.override { _ in texts }
        container.followerRepository.override { _ in repository }
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        return container.followerListViewModel()
    }

    /// Creates new pages, like freshly decoded ones.
    static func pages(_ numbers: Range<Int>) -> [Page<GitHub.User>] {
        numbers.map(page)
    }
}

/// A list and the ticket for its next page.
struct LoadingList {
    var list = PagedList<GitHub.User>()
    var ticket: PagedList<GitHub.User>.Ticket?

    init(_ pages: [Page<GitHub.User>] = []) {
        ticket = list.begin()
        for page in pages { receive(page) }
    }

    /// Receives a page and requests the next ticket, like a screen.
    mutating func receive(_ page: Page<GitHub.User>) {
        guard let ticket else { return }
        list.receive(page, for: ticket)
        self.ticket = list.begin()
    }
}

/// A list without `PagedList`: an array, and a set to prevent duplicates.
struct BareList {
    private(set) var users: [GitHub.User] = []
    private var ids: Set<GitHub.User.ID> = []

    init(_ pages: [Page<GitHub.User>] = []) {
        for page in pages { receive(page) }
    }

    mutating func receive(_ page: Page<GitHub.User>) {
        for user in page.items where ids.insert(user.id).inserted { users.append(user) }
    }
}

/// A repository with any number of pages from memory.
struct EndlessFollowers: GitHub.FollowerRepository {
    let pages: [Page<GitHub.User>]

    func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        pages[cursor.flatMap { Int($0.rawValue.dropFirst(5)) } ?? 0]
    }
}
