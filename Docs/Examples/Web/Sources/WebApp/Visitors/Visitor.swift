import BrowseKit
import Synchronization

/// A browser that visits the site: a session, favorites, a language, and its open pages.
final class Visitor: Sendable {
    /// The id in the visitor's cookie.
    let id: String
    /// The open pages by their ids.
    let pages: Registry<String, LivePage>
    private let containers: VisitorContainers
    private let currentLanguage: Mutex<SiteLanguage>

    init(id: String, language: SiteLanguage, containers: VisitorContainers, limits: SiteLimits) {
        self.id = id
        self.containers = containers
        currentLanguage = Mutex(language)
        pages = Registry(countLimit: limits.pagesPerVisitor, tickLimit: limits.pageTicks)
    }

    /// The language of new pages.
    var language: SiteLanguage {
        get { currentLanguage.withLock(\.self) }
        set { currentLanguage.withLock { $0 = newValue } }
    }

    /// The visitor's container in the current language.
    var container: Container { containers[language] }
}
