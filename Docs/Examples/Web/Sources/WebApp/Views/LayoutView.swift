import BrowseKit
import WebSupport

/// The values of the layout.
struct LayoutView: Sendable {
    /// A page in the navigation.
    struct Tab: Sendable {
        var address: String
        var title: String
        var isCurrent: Bool
    }

    /// A language in the switch.
    struct Language: Sendable {
        var code: String
        var title: String
        var isCurrent: Bool
    }

    var language: String
    var title: String
    var site: String
    var skip: String
    var navigation: String
    /// The id of the page.
    var page: String
    /// The id of the last event that the HTML contains.
    var event: String
    var address: String
    /// The token that protects forms against other sites.
    var token: String
    var tabs: [Tab]
    var languageLabel: String
    var languages: [Language]
    /// The rendered parts.
    var main: String

    init(
        _ content: PageContent,
        at address: PageAddress,
        page: String,
        event: String = "",
        texts: Texts,
        _ visitor: Visitor,
        _ site: Site
    ) {
        language = texts.language.rawValue
        title = content.title
        self.site = texts(.siteTitle)
        skip = texts(.skip)
        navigation = texts(.navigation)
        self.page = page
        self.address = address.text
        self.event = event
        token = site.formTokens.token(for: visitor.id)
        let tabs: [(String, Phrase)] = [
            ("users", UserSearchViewModel.title), ("repos", RepoSearchViewModel.title),
            ("favorites", FavoriteListViewModel.title), ("characters", CharacterRow.listTitle),
            ("episodes", EpisodeRow.listTitle), ("locations", LocationRow.listTitle),
            ("apps", AppSearchViewModel.title), ("account", AccountViewModel.title),
        ]
        // The second segment of most routes is also the name of a list.
        let names = address.path.prefix(2)
        self.tabs = tabs.map { name, title in
            Tab(address: "/" + name, title: texts(title), isCurrent: names.contains(name))
        }
        languageLabel = texts(.languages)
        languages = SiteLanguage.allCases.map {
            Language(code: $0.rawValue, title: $0.title, isCurrent: $0.rawValue == texts.language.rawValue)
        }
        main = site.templates.render(content)
    }
}
