import BrowseKit
import Synchronization
import WebSupport

/// A browser that visits the site: a session, a language, and open pages.
final class Visitor: Sendable {
    private struct State {
        var id: VisitorID
        /// The ids before, newest first.
        var formerIDs: [VisitorID] = []
        var language = SiteLanguage.english
        /// The page that a form without JavaScript leads back to.
        var returning: String?
    }

    /// The key of the visitor's stores.
    let key: String
    /// What belongs to the visitor.
    let session: VisitorSession
    /// The open pages by their ids.
    let pages: Registry<String, OpenPage>
    private let state: Mutex<State>

    init(id: VisitorID, key: String, session: VisitorSession, limits: SiteLimits) {
        self.key = key
        self.session = session
        state = Mutex(State(id: id))
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

    /// The id in the visitor's cookie.
    var id: VisitorID { state.withLock(\.id) }

    /// The ids before the last sign-ins and sign-outs, for which forms of open pages can have tokens.
    var formerIDs: [VisitorID] { state.withLock(\.formerIDs) }

    /// Replaces an id.
    ///
    /// - Returns: The new id; `nil` if the id isn't the visitor's anymore.
    func replaceID(_ id: VisitorID) -> VisitorID? {
        state.withLock { state in
            guard state.id == id else { return nil }
            state.formerIDs = [id] + state.formerIDs.prefix(3)
            state.id = VisitorID()
            return state.id
        }
    }

    /// Returns to the id before the last one, which couldn't be replaced.
    func restoreID() {
        state.withLock { $0.id = $0.formerIDs.removeFirst() }
    }

    /// The language of new pages, which every request sets.
    var language: SiteLanguage {
        get { state.withLock(\.language) }
        set { state.withLock { $0.language = newValue } }
    }

    /// The visitor's container in the current language.
    var container: Container { session.container(in: language) }

    /// Shows an open page again when its address is requested next, so that its notices aren't lost.
    func willReturn(to page: String) {
        state.withLock { $0.returning = page }
    }

    /// Returns the page that a form leads back to, once.
    func returningPage(at address: PageAddress) -> (id: String, page: OpenPage)? {
        let id = state.withLock { state in
            defer { state.returning = nil }
            return state.returning
        }
        guard let id, let page = pages.value(for: id), page.page.address == address,
            page.page.texts.language == container.texts().language
        else { return nil }
        return (id, page)
    }
}
