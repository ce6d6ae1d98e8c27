import BrowseKit

extension PageContext {
    /// Returns a square picture; `nil` without an address.
    ///
    /// - Parameter side: The width and height in CSS pixels. Twice as many are requested, for dense screens.
    func image(_ address: WebAddress?, side: Int, label: String = "") -> ImageView? {
        address.map {
            ImageView(source: image(ImageRequest($0, side: side * 2)), width: side, height: side, label: label)
        }
    }

    /// Returns the favorite mark of a row.
    func favorite(_ row: some FavoriteRow, key: String, name: String) -> MarkView {
        favorite(row.isFavorite, row: key, name: name)
    }

    /// Returns a favorite mark.
    func favorite(_ isOn: Bool, row: String = "", name: String) -> MarkView {
        MarkView(
            PageAction.favorite,
            row: row,
            isOn: isOn,
            label: texts(isOn ? .removeFavorite(name) : .addFavorite(name))
        )
    }
}

extension Link {
    /// Creates a link to a screen of this site, or to a web page over https; `nil` for other routes.
    init?(_ route: Route, title: String = "") {
        switch route {
        case .webPage(let page):
            guard let url = page.url, url.scheme?.lowercased() == "https" else { return nil }
            self.init(address: url.absoluteString, title: title, isExternal: true)
        default:
            guard let address = PageAddress(route) else { return nil }
            self.init(address: address.text, title: title)
        }
    }
}

extension PageAddress {
    /// Creates the address of a screen; `nil` if the route leaves this site.
    init?(_ route: Route) {
        switch route {
        case .userProfile(let login): self.init("users", login.rawValue)
        case .followList(.followers(let login)): self.init("users", login.rawValue, "followers")
        case .followList(.following(let login)): self.init("users", login.rawValue, "following")
        case .repoList(.publicRepos(let login)): self.init("users", login.rawValue, "repos")
        case .repoList(.own): self.init("account", "repos")
        case .repoList(.starred): self.init("account", "stars")
        case .signIn: self.init("sign-in")
        case .character(let id): self.init("characters", "\(id.rawValue)")
        case .episode(let id): self.init("episodes", "\(id.rawValue)")
        case .location(let id): self.init("locations", "\(id.rawValue)")
        case .app(let app): self.init("apps", "\(app.id.rawValue)")
        case .screenshotGallery, .webPage, .other: return nil
        }
    }
}
