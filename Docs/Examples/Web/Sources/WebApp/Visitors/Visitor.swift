import BrowseKit
import Foundation
import Synchronization

/// A browser that visits the site: a session, a language, and open pages.
final class Visitor: Sendable {
    private struct State {
        var id: VisitorID
        var language = SiteLanguage.english
        var theme: SiteTheme?
    }

    /// Whether the stores are those of this process, because the id couldn't be read.
    let isTemporary: Bool
    let session: VisitorSession
    let pages: Registry<String, LivePage>
    private let state: Mutex<State>

    init(id: VisitorID, isTemporary: Bool, session: VisitorSession, limits: SiteLimits) {
        self.isTemporary = isTemporary
        self.session = session
        state = Mutex(State(id: id))
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

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

    var container: Container { session.container(in: language) }
}

enum SiteLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case korean = "ko"

    /// The locale of texts, numbers, and dates, which also selects the country of the App Store.
    var locale: Locale { Locale(identifier: self == .korean ? "ko_KR" : "en_US") }

    var title: String { self == .korean ? "한국어" : "English" }
}

/// The colors of the site, if a person doesn't want those that the browser prefers.
enum SiteTheme: String, CaseIterable, Sendable {
    case light, dark

    var title: Phrase { self == .light ? .light : .dark }
}
