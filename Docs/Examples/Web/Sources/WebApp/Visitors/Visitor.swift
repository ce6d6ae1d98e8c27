import BrowseKit
import Synchronization
import WebSupport

/// A browser that visits the site: a session, a language, and open pages.
final class Visitor: Sendable {
    private struct State {
        var id: VisitorID
        var language = SiteLanguage.english
        var theme: SiteTheme?
    }

    /// Whether the stores are those of this process, because the id couldn't be read.
    let isTemporary: Bool
    /// What belongs to the visitor.
    let session: VisitorSession
    /// The open pages by their ids.
    let pages: Registry<String, LivePage>
    private let state: Mutex<State>

    init(id: VisitorID, isTemporary: Bool, session: VisitorSession, limits: SiteLimits) {
        self.isTemporary = isTemporary
        self.session = session
        state = Mutex(State(id: id))
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

    /// The id in the visitor's cookie.
    var id: VisitorID { state.withLock(\.id) }

    /// Replaces an id.
    ///
    /// - Returns: `false` if the id isn't the visitor's anymore.
    func replaceID(_ id: VisitorID, by new: VisitorID) -> Bool {
        state.withLock { state in
            guard state.id == id else { return false }
            state.id = new
            return true
        }
    }

    /// The language of new pages, which every request sets.
    var language: SiteLanguage {
        get { state.withLock(\.language) }
        set { state.withLock { $0.language = newValue } }
    }

    /// The colors of new pages, which every request sets; `nil` are those that the browser prefers.
    var theme: SiteTheme? {
        get { state.withLock(\.theme) }
        set { state.withLock { $0.theme = newValue } }
    }

    /// The visitor's container in the current language.
    var container: Container { session.container(in: language) }
}
