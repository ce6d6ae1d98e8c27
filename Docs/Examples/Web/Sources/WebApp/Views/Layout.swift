import BrowseKit
import Foundation

extension Site {
    /// The lists of the site, by service.
    private static let tabs: [(service: Phrase, lists: [(name: String, title: Phrase)])] = [
        (.gitHub, [("users", UserSearchViewModel.title), ("repos", RepoSearchViewModel.title)]),
        (
            .rickAndMorty,
            [
                ("characters", CharacterRow.listTitle), ("episodes", EpisodeRow.listTitle),
                ("locations", LocationRow.listTitle),
            ]
        ),
        (.appStore, [("apps", AppSearchViewModel.title)]),
        (.yours, [("favorites", FavoriteListViewModel.title), ("account", AccountViewModel.title)]),
    ]

    /// The lists to which the other segments belong.
    private static let lists = ["accounts": "users", "stars": "repos", "sign-in": "account"]

    static func title(of name: String) -> Phrase {
        tabs.flatMap(\.lists).first { $0.name == name }?.title ?? .siteTitle
    }

    /// Returns the document of a page, whose id is empty if it has no updates.
    func layout(_ content: PageContent, at address: PageAddress, id: String, of visitor: Visitor, _ texts: Texts)
        -> HTML
    {
        let token = formTokens.token(for: visitor.id)
        // The second segment of most routes is also the name of a list.
        let names = address.path.prefix(2).map { Self.lists[$0] ?? $0 }
        let groups = Self.tabs.map { service, lists in
            let tabs = lists.map { name, title -> HTML in
                let current: HTML? = names.contains(name) ? " aria-current=\"page\"" : nil
                return "<li><a href=\"/\(name)\"\(current)>\(texts(title))</a></li>"
            }
            return (isCurrent: lists.contains { names.contains($0.name) }, title: texts(service), tabs: tabs)
        }
        let all = groups.map { "<li><span>\($0.title)</span><ul role=\"list\">\($0.tabs)</ul></li>\n" as HTML }
        // On a phone, the services are above the lists of the current one.
        let services = zip(Self.tabs, groups).dropLast().map { tab, group -> HTML in
            let current: HTML? = group.isCurrent ? " aria-current=\"true\"" : nil
            return "<li><a href=\"/\(tab.lists[0].name)\"\(current)>\(group.title)</a></li>"
        }
        let current = groups.dropLast().first { $0.isCurrent && $0.tabs.count > 1 }
        let lists = current.map { "<ul class=\"lists\" role=\"list\">\($0.tabs)</ul>" as HTML }
        let languages = SiteLanguage.allCases.map { language -> HTML in
            let current: HTML? = language.rawValue == texts.language.rawValue ? " aria-current=\"true\"" : nil
            let code = language.rawValue
            return """
                <button form="actions" name="do" value="language \(code)" lang="\(code)"\(current)>\(language.title)</button>
                """
        }
        let theme = visitor.theme
        let themes = ([nil] + SiteTheme.allCases).map { choice -> HTML in
            let action = "theme \(choice?.rawValue ?? "system")"
            let current: HTML? = choice == theme ? " aria-current=\"true\"" : nil
            let title = texts(choice?.title ?? .system)
            return "<button form=\"actions\" name=\"do\" value=\"\(action)\"\(current)>\(title)</button>"
        }
        return """
            <!doctype html>
            <html lang="\(texts.language.rawValue)"\(theme.map { " data-theme=\"\($0.rawValue)\"" })>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(content.documentTitle)</title>
            \(head(of: content, at: address))\
            <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/assets/app.css">
            <script src="/assets/app.js" defer></script>
            </head>
            <body data-page="\(id)" data-shown="\(ShownPage(content).tag(with: token))" \
            data-now="\(Int(Date().timeIntervalSince1970))" \
            data-beat="\(Int(configuration.limits.heartbeat.components.seconds))">
            <a class="skip" href="#main">\(texts(.skip))</a>
            <header class="site">
            <a class="home" href="/">\(texts(.siteTitle))</a>
            <ul class="narrow yours" role="list">\(groups.last?.tabs ?? [])</ul>
            <details class="settings"><summary id="settings">\(texts(.settings))</summary><div class="panel">
            <p aria-hidden="true">\(texts(.languages))</p>
            <div class="choices" role="group" aria-label="\(texts(.languages))">\(languages)</div>
            <p aria-hidden="true">\(texts(.appearance))</p>
            <div class="choices" role="group" aria-label="\(texts(.appearance))">\(themes)</div>
            </div></details>
            <nav class="wide" aria-label="\(texts(.navigation))"><ul role="list">
            \(all)</ul></nav>
            <nav class="narrow" aria-label="\(texts(.navigation))"><ul role="list">\(services)</ul>\
            \(lists)</nav>
            </header>
            <form id="actions" method="post" action="/actions" autocomplete="off">
            <input type="hidden" name="csrf" value="\(token)">
            <input type="hidden" name="page" value="\(id)">
            <input type="hidden" name="address" value="\(address.text)">
            </form>
            <main id="main" tabindex="-1">
            \(content.parts.map(\.element))</main>
            <div id="busy" role="status" hidden>\(texts(.busy))</div>
            <div id="trouble" class="notice" role="alert" hidden><p>\(texts(.unreachable))</p>\
            <button type="button">\(texts(.dismiss))</button></div>
            </body>
            </html>
            """
    }
    /// Returns what the head says of a page besides its title.
    private func head(of content: PageContent, at address: PageAddress) -> HTML {
        let description = content.description.map { text -> HTML in
            """
            <meta name="description" content="\(text)">
            <meta property="og:title" content="\(content.documentTitle)">
            <meta property="og:description" content="\(text)">
            <meta property="og:type" content="website">
            <meta property="og:url" content="\(services.origin.absoluteString)/">
            <meta property="og:image" content="\(services.origin.absoluteString)/assets/preview.png">

            """
        }
        let refresh = content.refreshTime.map { seconds -> HTML in
            // With the address, because a page after an action is at that of actions.
            """
            <noscript><meta http-equiv="refresh" content="\(seconds);url=\(value: address.link)"></noscript>

            """
        }
        return "\(description)\(refresh)"
    }
}
