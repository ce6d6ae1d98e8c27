import BrowseAppStoreDomain
import BrowseDomain
import BrowseMocks
import TestLimits
import Testing

import BrowseAppStorePresentation
import BrowsePresentation

@MainActor @Suite("An App Store page", .bounded)
struct AppDetailViewModelTests {
    private let held = ControlledResponses<InMemoryAppRepository.Call, Page<AppStore.App>>()

    private func model(
        _ repository: (any AppStore.AppRepository)? = nil,
        texts: Texts = .english
    ) -> AppDetailViewModel {
        let repository = repository ?? InMemoryAppRepository(onCall: held.response)
        return AppDetailViewModel(
            repository: repository,
            storefront: AppStore.Storefront(country: .southKorea),
            options: ScreenOptions(texts: texts).with(InMemoryFavoriteRepository())
        )
    }

    private func details(_ app: AppStore.App, texts: Texts = .english) throws -> AppDetails {
        let model = model(texts: texts)
        model.show(app)
        return try #require(model.state.content.details)
    }

    /// A bundle identifier can belong to an app for iPhone and one for Mac.
    @Test(arguments: [
        (Texts.english, AppStore.App.Platform.iOS, "iOS 13.0 or later"), (.english, .mac, "macOS 13.0 or later"),
        (.korean, .iOS, "iOS 13.0 이상"), (.korean, .mac, "macOS 13.0 이상"),
    ])
    func `is that of the platform, and names its system`(
        texts: Texts,
        platform: AppStore.App.Platform,
        system: String
    ) async {
        let bundleID = AppStore.BundleID(rawValue: "com.example.tea")
        let apps = [(Int64(1), AppStore.App.Platform.iOS), (2, .mac)].map { number, platform in
            AppStore.App(id: AppStore.AppID(number), name: "Tea") {
                $0.bundleID = bundleID
                $0.platform = platform
                $0.minimumOSVersion = "13.0"
            }
        }
        let model = model(InMemoryAppRepository(apps: apps), texts: texts)
        await model.show(.bundleID(bundleID), in: AppStore.Storefront(platform: platform))
        #expect(model.state.content.details?.app.platform == platform)
        #expect(model.state.content.details?.facts.first { $0.id == "minimumOS" }?.value == system)
    }

    @Test func `has all sections in the App Store's order`() throws {
        let details = try details(.tea)
        #expect(details.sections.map(\.kind) == [.main, .summary, .screenshots, .description, .whatsNew, .info])
        #expect(details.sections.map(\.title) == [nil, nil, "Preview", "Description", "What’s New", "Information"])
        #expect(details.main.icon?.rawValue == "https://i.example/512.png")
        #expect(details.main.name == "Tea")
        #expect(details.main.genre == "Food & Drink")
        #expect(details.rating?.stars == [.full, .full, .full, .full, .half])
        #expect(details.screenshots == AppStore.App.tea.screenshots.main)
        #expect(details.whatsNew?.version == "Version 2.10")
        #expect(details.whatsNew?.date == "Nov 5, 2018")
        #expect(details.whatsNew?.notes == "Hotter.")
        #expect(
            details.facts.map(\.id) == [
                "provider", "size", "languages", "age", "price", "version", "minimumOS", "releaseDate",
            ]
        )
        #expect(
            details.summary.map { "\($0.label): \($0.value)" } == [
                "Rating: 4.7 · 12K ratings", "Age: 4+", "Genre: Food & Drink", "Developer: Tea House",
                "Languages: English and 2 more",
            ]
        )
        #expect(
            details.facts.map { "\($0.label): \($0.value)" } == [
                "Provider: Tea House, Inc.", "Size: 124.7 MB", "Languages: English, French, and Korean",
                "Age Rating: 4+",
                "Price: $1.99", "Version: 2.10", "Compatibility: 16.0 or later", "Released: Jul 11, 2008",
            ]
        )
    }

    @Test func `is localized, except for the age rating`() throws {
        let details = try details(.tea, texts: .korean)
        #expect(details.rating?.count == "1.2만개의 평가")
        #expect(details.summary.map(\.value).contains("4+") && details.summary.last?.value == "한국어 외 2개")
        #expect(details.whatsNew?.date == "2018년 11월 5일")
        #expect(
            details.facts.map { "\($0.label): \($0.value)" } == [
                "제공자: Tea House, Inc.", "크기: 124.7MB", "언어: 한국어, 프랑스어 및 영어", "연령 등급: 4+", "가격: $1.99",
                "버전: 2.10", "호환성: 16.0 이상", "출시일: 2008년 7월 11일",
            ]
        )
    }

    @Test func `has a text for every missing value`() throws {
        let details = try details(.bare)
        #expect(details.sections.map(\.kind) == [.main, .summary, .info])
        #expect(details.main.icon == nil && details.main.genre == nil)
        #expect(details.rating == nil && details.summary.allSatisfy(\.isMissing))
        #expect(details.summary.map(\.value) == ["Not enough ratings"] + Array(repeating: "Not specified", count: 4))
        #expect(details.facts.allSatisfy { $0.isMissing })
        #expect(details.facts.map(\.value) == Array(repeating: "Not specified", count: 8))
        let korean = try self.details(.bare, texts: .korean)
        #expect(korean.facts.map(\.value) == Array(repeating: "정보 없음", count: 8))
        #expect(korean.summary.first?.value == "평가가 충분하지 않음")
    }

    @Test func `has a single language, and release notes without version and date`() throws {
        let app = AppStore.App(id: .init(1), name: "x") {
            $0.releaseNotes = "New."
            $0.languageCodes = ["ko"]
        }
        #expect(try details(app).summary.last?.value == "Korean")
        let whatsNew = try #require(try details(app).whatsNew)
        #expect(whatsNew.notes == "New." && whatsNew.version == nil && whatsNew.date == nil)
    }

    @Test func `is shared as a link, a title, and an icon`() throws {
        let share = try details(.tea).main.share
        #expect(share.link.rawValue == "https://apps.apple.com/us/app/tea/id7")
        #expect(share.title == "Tea")
        #expect(share.icon?.rawValue == "https://i.example/512.png")
        #expect(try details(.bare).main.share.link.rawValue == "https://apps.apple.com/app/id8")
    }

    @Test func `expands and collapses a long description`() {
        let model = model()
        #expect(model.state.description == nil)
        model.toggleDescription()
        model.show(.tea)
        #expect(model.state.description == "One.\nTwo.\nThree.…")
        #expect(model.state.descriptionActionTitle == "more")
        model.toggleDescription()
        #expect(model.state.description == "One.\nTwo.\nThree.\nFour.")
        #expect(model.state.descriptionActionTitle == "less")
        model.toggleDescription()
        #expect(model.state.descriptionActionTitle == "more")
        model.toggleDescription()
        model.show(AppStore.App(id: .init(1), name: "x") { $0.description = "Short." })
        #expect(model.state.description == "Short.")
        #expect(model.state.descriptionActionTitle == nil)
    }

    @Test(arguments: [(0, 0), (2, 2), (3, 2), (.max, 2), (-1, 0), (.min, 0)])
    func `opens the gallery at the selected screenshot`(position: Int, expected: Int) {
        let model = model()
        #expect(model.openScreenshot(at: 0) == nil)
        model.show(.tea)
        let route = Route.appStore(.screenshotGallery(AppStore.App.tea.id, position: expected))
        #expect(model.openScreenshot(at: position) == route)
        model.show(.bare)
        #expect(model.openScreenshot(at: position) == nil)
    }

    @Test func `leads to the developer's page, if it can be opened`() throws {
        func route(_ app: AppStore.App) throws -> Route? {
            let details = try details(app)
            let routes = [details.facts, details.summary].map { Set($0.compactMap(\.route)) }
            #expect(routes[0] == routes[1] && routes[0].count <= 1)
            return routes[0].first
        }
        #expect(try route(.tea) == .webPage(WebAddress(rawValue: "https://apps.example/developer/id5")))
        #expect(try route(.bare) == nil)
        let page = WebAddress(rawValue: "javascript:alert(1)")
        #expect(
            try route(AppStore.App(id: .init(1), name: "x") { $0.developer = .init(name: "x", storePage: page) })
                == nil
        )
    }

    // MARK: - Loading

    @Test func `is looked up in the default storefront, or in another`() async {
        let model = model()
        let load = Task { await model.show(.tea) }
        await held.waitForRequests(1)
        #expect(model.state.content.status == .loading)
        held.answer(0, with: .success(Page(items: [.tea])))
        await load.value
        #expect(model.state.content.details?.app == .tea)
        held.answer(1, with: .success(Page(items: [.bare])))
        await model.show(.bare, in: .init())
        #expect(held.requests == [.lookUp(.tea, in: .init(country: .southKorea)), .lookUp(.bare, in: .init())])
        held.answer(2, with: .success(Page(items: [.bare])))
        await model.retry()
        #expect(held.requests.last == .lookUp(.bare, in: .init()))
    }

    @Test func `shows the last requested app, in whatever order responses arrive`() async {
        let model = model()
        let first = Task { await model.show(.bare) }
        await held.waitForRequests(1)
        let second = Task { await model.show(.tea) }
        await held.waitForRequests(2)
        await first.value
        #expect(model.state.content.status == .loading)
        held.answer(1, with: .success(Page(items: [.tea])))
        await second.value
        #expect(model.state.content.details?.app == .tea)
        let third = Task { await model.show(.bare) }
        await held.waitForRequests(3)
        model.show(.numbered(3))
        await third.value
        #expect(held.answer(2, with: .success(Page(items: [.bare]))) == false)
        #expect(model.state.content.details?.app == .numbered(3))
        held.answer(3, with: .success(Page(items: [.numbered(3)])))
        await model.retry()
        await model.retry()
        #expect(held.requests.count == 4)
    }

    @Test func `is looked up again by number when it's refreshed, and stays when the screen appears again`() async {
        let model = model()
        model.show(AppStore.App.tea)
        let newer = AppStore.App(id: AppStore.App.tea.id, name: "Green Tea")
        held.answer(0, with: .success(Page(items: [newer])))
        await model.refresh()
        #expect(held.requests == [.lookUp(.tea, in: .init(country: .southKorea))])
        #expect(model.state.content.details?.main.name == "Green Tea")
        model.showIfNeeded(EntityPreview(.tea))
        #expect(model.state.content.details?.main.name == "Green Tea")
    }

    @Test func `from a link is looked up once, and so is one with a preview`() async {
        let model = model()
        let load = Task { await model.showIfNeeded(AppStore.App.tea.id) }
        await held.waitForRequests(1)
        held.answer(0, with: .success(Page(items: [])))
        await load.value
        // The store doesn't have it, so the row's copy isn't shown when the screen appears again.
        model.showIfNeeded(EntityPreview(.tea))
        #expect(model.state.content.status.message?.kind == .notFound)
        held.answer(1, with: .success(Page(items: [.tea])))
        await model.showIfNeeded(AppStore.App.tea.id)
        await model.showIfNeeded(AppStore.App.tea.id)
        #expect(model.state.content.details?.app == .tea && held.requests.count == 2)
        model.showIfNeeded(EntityPreview(.bare))
        #expect(model.state.content.details?.app == .bare && model.state.content.provenance == .saved)
        held.answer(2, with: .success(Page(items: [.bare])))
        for _ in 0..<2 { await model.showIfNeeded(AppStore.App.bare.id) }
        #expect(model.state.content.provenance == .fresh && held.requests.count == 3)
    }
}

@MainActor @Suite("An App Store gallery", .bounded)
struct AppStoreGalleryTests {
    private let held = ControlledResponses<InMemoryAppRepository.Call, Page<AppStore.App>>()
    private let pictures = AppStore.App.tea.screenshots.main

    private func model(_ texts: Texts = .english) -> AppDetailViewModel {
        AppDetailViewModel(
            repository: InMemoryAppRepository(onCall: held.response),
            storefront: AppStore.Storefront(country: .southKorea),
            options: ScreenOptions(texts: texts).with(InMemoryFavoriteRepository())
        )
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 2), (-1, 0), (.max, 2), (.min, 0)])
    func `clamps the position`(position: Int, expected: Int) {
        let model = model()
        model.showIfNeeded(EntityPreview(.tea), at: position)
        #expect(model.state.gallery.position == expected)
        #expect(model.state.gallery.current == pictures[expected])
        #expect(model.state.title == "\(expected + 1) of 3")
        model.go(to: 1)
        model.go(to: position)
        #expect(model.state.gallery.position == expected)
    }

    @Test func `moves to the next and the previous screenshot, and stops at the ends`() {
        let model = model(.korean)
        model.showIfNeeded(EntityPreview(.tea), at: 1)
        #expect(model.state.title == "3개 중 2번째")
        model.next()
        model.next()
        #expect(model.state.gallery.current == pictures[2])
        for _ in 0..<5 { model.previous() }
        #expect(model.state.gallery.current == pictures[0])
    }

    @Test func `is empty without screenshots`() {
        let model = model()
        #expect(model.state.gallery.current == nil)
        model.showIfNeeded(EntityPreview(.bare), at: 5)
        model.next()
        model.previous()
        #expect(model.state.gallery == ScreenshotGallery([], at: 0) && model.state.title == "")
    }

    @Test func `from a link looks its app up, and keeps its position until then`() async {
        let model = model()
        let load = Task { await model.showIfNeeded(AppStore.App.tea.id, at: 1) }
        await held.waitForRequests(1)
        #expect(model.state.content.status == .loading && model.state.title == "")
        held.answer(0, with: .success(Page(items: [])))
        await load.value
        let text = "This app isn’t available in the App Store of this country or region."
        #expect(model.state.content.status.message?.text == text)
        held.answer(1, with: .success(Page(items: [.tea])))
        await model.showIfNeeded(AppStore.App.tea.id, at: 1)
        #expect(model.state.title == "2 of 3")
        model.next()
        await model.showIfNeeded(AppStore.App.tea.id, at: 1)
        #expect(model.state.title == "3 of 3" && held.requests.count == 2)
        #expect(held.requests == Array(repeating: .lookUp(.tea, in: .init(country: .southKorea)), count: 2))
        // At the end; then, there is another one.
        model.next()
        var app = AppStore.App.tea
        app.screenshots = .init(main: pictures + [WebAddress(rawValue: "https://i.example/d.jpg")])
        held.answer(2, with: .success(Page(items: [app])))
        await model.refresh()
        #expect(model.state.title == "3 of 4")
    }
}
