import BrowseKit
import Synchronization
import WebSupport

/// A browser that visits the site: a session, a language, and open pages.
final class Visitor: Sendable {
    private struct State {
        var id: VisitorID
        /// The id before the last sign-in.
        var formerID: VisitorID?
        /// The account for which the id was issued.
        var account: GitHub.Login?
        var language: SiteLanguage
        /// The page that a form without JavaScript leads back to.
        var returning: String?
    }

    /// What belongs to the visitor.
    let session: VisitorSession
    /// The open pages by their ids.
    let pages: Registry<String, OpenPage>
    private let state: Mutex<State>

    init(id: VisitorID, language: SiteLanguage, session: VisitorSession, limits: SiteLimits) {
        self.session = session
        state = Mutex(State(id: id, language: language))
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

    /// The id in the visitor's cookie.
    var id: VisitorID { state.withLock(\.id) }

    /// The ids for which forms of open pages can have tokens.
    var formIDs: [VisitorID] { state.withLock { [$0.id, $0.formerID].compactMap(\.self) } }

    /// Replaces the id if somebody has signed in since it was issued.
    ///
    /// So a cookie that another person knew before, or had planted, isn't a key to the account.
    ///
    /// - Returns: The former and the new id; `nil` if nobody has signed in.
    func renewID() -> (former: VisitorID, new: VisitorID)? {
        let account = container.session().current.user?.login
        return state.withLock { state in
            defer { state.account = account }
            guard let account, account != state.account else { return nil }
            let former = state.id
            (state.id, state.formerID) = (VisitorID(), former)
            return (former, state.id)
        }
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
