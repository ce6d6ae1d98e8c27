import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

/// The screens use the App Store of the United States by default; the app is in that of Korea only.
@MainActor @Suite(.bounded) struct `The App Store of another country` {
    private let favorites = InMemoryFavoriteRepository()
    private let repository = InMemoryAppRepository(
        apps: [.bare],
        only: [.southKorea: [.tea, AppStore.App(id: AppStore.App.bare.id, name: "간단")]]
    )

    private func search(in country: AppStore.Country = .southKorea) -> AppSearchViewModel {
        let model = AppSearchViewModel(repository: repository, options: .english.with(favorites))
        model.storefront = AppStore.Storefront(country: country)
        return model
    }

    private func page() -> AppDetailViewModel {
        AppDetailViewModel(repository: repository, options: .english.with(favorites))
    }

    /// Opens a route as a front end does, with or without its preview.
    private func open(_ route: Route?, withPreview: Bool) async throws -> AppDetailViewModel {
        guard case .other(let destination) = route,
            case .app(let id, let preview) = destination.value(as: AppStore.Screen.self)
        else { throw CancellationError() }
        let page = page()
        if withPreview, let preview { page.showIfNeeded(preview) }
        await page.showIfNeeded(id)
        return page
    }

    private func found(_ text: String, in country: AppStore.Country = .southKorea) async throws -> AppRow {
        let search = search(in: country)
        search.query.text = text
        await search.submit()
        return try #require(search.state.content.rows.first)
    }

    @Test(arguments: [true, false])
    func `stays that of an app that was found in it, when it's refreshed`(withPreview: Bool) async throws {
        let page = try await open(try await found("tea").route, withPreview: withPreview)
        #expect(page.state.content.details?.main.name == "Tea")
        await page.refresh()
        #expect(page.state.content.details?.main.name == "Tea" && page.state.notice == nil)
    }

    @Test func `stays that of its screenshots`() async throws {
        let page = try await open(try await found("tea").route, withPreview: true)
        guard case .other(let destination) = page.openScreenshot(at: 1),
            case .screenshotGallery(let id, let position, let preview) = destination.value(as: AppStore.Screen.self)
        else { throw CancellationError() }
        for preview in [preview, nil] {
            let gallery = self.page()
            if let preview { gallery.showIfNeeded(preview, at: position) }
            await gallery.showIfNeeded(id, at: position)
            await gallery.refresh()
            #expect(gallery.state.title == "2 of 3" && gallery.state.notice == nil)
        }
    }

    @Test func `stays that of a favorite`() async throws {
        let search = search()
        search.query.text = "tea"
        await search.submit()
        await search.toggleFavorite(try #require(search.state.content.rows.first).id)
        let list = FavoriteListViewModel(favorites: favorites, kinds: FavoriteKind.appStore, options: .english)
        await list.show()
        let page = try await open(try #require(list.state.content.rows.first).route, withPreview: true)
        await page.refresh()
        #expect(page.state.content.details?.main.name == "Tea" && page.state.isFavorite)
    }

    @Test(arguments: [
        ("https://apps.apple.com/kr/app/tea/id7", "Tea"), ("https://apps.apple.com/kr/app/x/id8", "간단"),
        ("https://apps.apple.com/us/app/x/id8", "Bare"), ("https://apps.apple.com/app/id8", "Bare"), ("8", "Bare"),
    ])
    func `is that of a pasted link`(text: String, name: String) async throws {
        let search = search(in: .unitedStates)
        search.query.mode = .lookUp
        search.query.text = text
        await search.submit()
        let row = try #require(search.state.content.rows.first)
        #expect(row.name == name)
        let page = try await open(row.route, withPreview: true)
        await page.refresh()
        #expect(page.state.content.details?.main.name == name)
        await page.show(try AppStore.AppReference(text))
        #expect(page.state.content.details?.main.name == name)
    }

    @Test func `has favorites of its own, each of which opens its own page`() async throws {
        let rows = [try await found("간단"), try await found("bare", in: .unitedStates)]
        for row in rows { _ = try await favorites.add(row.favorite) }
        let list = FavoriteListViewModel(favorites: favorites, kinds: FavoriteKind.appStore, options: .english)
        await list.show()
        var names: [String] = []
        for row in list.state.content.rows {
            let page = try await open(row.route, withPreview: false)
            names.append(try #require(page.state.content.details).main.name)
        }
        #expect(Set(names) == ["간단", "Bare"] && names.count == 2)
    }
}
