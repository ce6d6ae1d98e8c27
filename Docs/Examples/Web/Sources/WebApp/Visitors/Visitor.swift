import BrowseKit
import Synchronization
import WebSupport

/// A browser that visits the site: a session, a language, and open pages.
final class Visitor: Sendable {
    private struct State {
        var language: SiteLanguage
        /// The page that a form without JavaScript leads back to.
        var returning: String?
    }

    /// The id in the visitor's cookie.
    let id: VisitorID
    /// What belongs to the visitor.
    let session: VisitorSession
    /// The open pages by their ids.
    let pages: Registry<String, OpenPage>
    private let state: Mutex<State>

    init(id: VisitorID, language: SiteLanguage, session: VisitorSession, limits: SiteLimits) {
        self.id = id
        self.session = session
        state = Mutex(State(language: language))
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

    /// The language of new pages.
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
        guard let id, let page = pages.value(for: id), page.page.address == address else { return nil }
        return (id, page)
    }
}
