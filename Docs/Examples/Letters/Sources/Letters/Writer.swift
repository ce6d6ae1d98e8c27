import BrowseCore
import BrowseData
import Synchronization

/// A user of the service.
public nonisolated struct Writer: SessionUser {
    /// The drafts, which screens need before they show a letter.
    public typealias Content = Drafts

    /// The name, which the service never changes.
    public var name: String

    /// The name.
    public var accountID: String { name }

    /// Creates a user.
    public init(name: String) {
        self.name = name
    }
}

/// The titles of the signed-in user's drafts.
public nonisolated final class Drafts: SessionContent {
    private let client: HTTPClient
    private let stored = Mutex<(titles: [String], session: Int)>(([], 0))

    init(client: HTTPClient) {
        self.client = client
    }

    /// The titles; empty if nobody is signed in.
    public var titles: [String] { stored.withLock { $0.titles } }

    /// Loads the titles.
    public func load() async {
        let session = stored.withLock { $0.session }
        guard let titles = try? await client.send(.drafts) else { return }
        // Those of a session that has ended meanwhile are dropped.
        stored.withLock { if $0.session == session { $0.titles = titles } }
    }

    /// Removes the titles.
    public func end() {
        stored.withLock { $0 = ([], $0.session + 1) }
    }
}

nonisolated extension Endpoint<Writer> {
    /// `GET /me`.
    public static var me: Self { .json(.path("/me")) { (writer: Writer, _) in writer } }
}

nonisolated extension Endpoint<[String]> {
    /// `GET /drafts`.
    static var drafts: Self { .json(.path("/drafts")) { (titles: [String], _) in titles } }
}
