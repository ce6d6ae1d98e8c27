import BrowseAppStoreDomain
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseAppStorePresentation
import BrowsePresentation

@MainActor @Suite("The App Store's search", .bounded)
struct AppSearchViewModelTests {
    private let held = ControlledResponses<InMemoryAppRepository.Call, Page<AppStore.App>>()
    private let korea = AppStore.Storefront(country: .southKorea)

    private let favorites = InMemoryFavoriteRepository()

    private func model(
        _ repository: (any AppStore.AppRepository)? = nil,
        texts: Texts = .english
    ) -> AppSearchViewModel {
        let repository = repository ?? InMemoryAppRepository(onCall: held.response)
        return AppSearchViewModel(
            repository: repository,
            storefront: korea,
            options: ScreenOptions(texts: texts).with(favorites),
            resultLimit: 20
        )
    }

    private func message(_ model: AppSearchViewModel) throws -> Message {
        switch model.state.content.status {
        case .failed(let message), .empty(let message): return message
        default:
            Issue.record("\(model.state.content.status)")
            throw CancellationError()
        }
    }

    @Test func `searches for a term in the selected storefront`() async throws {
        let model = model()
        model.query.text = " C++ & 하늘 "
        #expect(held.requests.isEmpty)
        let submit = Task { await model.submit() }
        await held.waitForRequests(1)
        #expect(model.state.content.status == .loading)
        held.answer(0, with: .success(Page(items: [.tea, .bare], skipped: SkippedRows(count: 1))))
        await submit.value
        let term = try AppStore.SearchTerm("C++ & 하늘")
        #expect(held.requests == [.search(term, in: korea, limit: 20)])
        #expect(model.state.content.status == .ready)
        #expect(model.state.content.rows.map(\.name) == ["Tea", "Bare"])
        #expect(model.state.content.skippedCount == 1)
        #expect(!model.state.content.hasMore)
        #expect(model.state.summary == "2 results")
    }

    /// facundoolano/app-store-scraper#52 and serpapi/public-roadmap#3134
    @Test(arguments: [(19, 0, "19 results"), (20, 0, "First 20 results"), (19, 1, "First 19 results")])
    func `doesn't look complete at the limit of results, because there may be more`(
        count: Int,
        skipped: Int,
        summary: String
    ) async {
        let model = model()
        model.query.text = "tea"
        let apps = (1...count).map { AppStore.App(id: AppStore.AppID(Int64($0)), name: "Tea \($0)") }
        held.answer(0, with: .success(Page(items: apps, skipped: SkippedRows(count: skipped))))
        await model.submit()
        #expect(model.state.content.rows.count == count && !model.state.content.hasMore)
        #expect(model.state.summary == summary)
        #expect(model.state.totalCount == (count + skipped < 20 ? count : nil))
        model.query.text = ""
        #expect(model.state.summary == nil)
    }

    @Test func `publishes consistent states only`() async {
        let model = model(InMemoryAppRepository(apps: [.tea]))
        let recorder = StateRecorder(of: model)
        model.query.text = "tea"
        await model.submit()
        model.query.text = ""
        let states = recorder.states
        #expect(states.map(\.query.text) == ["", "tea", "tea", "tea", ""])
        #expect(states.map(\.content.status) == [.idle, .idle, .loading, .ready, .idle])
        #expect(states.map(\.summary) == [nil, nil, nil, "1 result", nil])
    }

    @Test func `removes the notice of the previous results`() async {
        var full = favorites
        full.onCall = { call throws(BrowseError) in
            guard case .add = call else { return nil }
            throw .storageFailed(StorageFailure(reason: .full, file: "x"))
        }
        let repository = InMemoryAppRepository(apps: [.tea])
        let model = AppSearchViewModel(repository: repository, options: .english.with(full))
        model.query.text = "tea"
        await model.submit()
        await model.toggleFavorite(AppStore.App.americanTea.id)
        #expect(model.state.notice?.kind == .storage)
        await model.submit()
        #expect(model.state.notice == nil)
    }

    @Test func `shows a rating and a price in each row`() async throws {
        let model = model(InMemoryAppRepository(apps: [.tea, .bare]))
        model.query.text = "t"
        await model.submit()
        let row = try #require(model.state.content.rows.first)
        #expect(row.rating?.average == "4.7")
        #expect(row.rating?.stars == [.full, .full, .full, .full, .half])
        #expect(row.rating?.count == "12K ratings")
        #expect(row.price == "$1.99")
        #expect(AppRow(.bare, texts: .english).rating == nil)
        #expect(AppRow(.bare, texts: .english).price == "Not specified")
        let unrated = AppStore.App(id: .init(9), name: "x") { $0.rating = .init(average: 0, count: 0) }
        #expect(AppRow(unrated, texts: .english).rating == nil)
    }

    @Test(arguments: [
        ("7", AppStore.AppReference.tea), ("https://apps.apple.com/app/x/id7?mt=8", .tea),
        (" com.example.tea\n", .bundleID(.init(rawValue: "com.example.tea"))),
    ])
    func `looks up an app by number, link, or bundle identifier`(text: String, reference: AppStore.AppReference) async {
        let model = model()
        model.query.mode = .lookUp
        model.query.text = text
        #expect(model.state.hint == nil)
        held.answer(0, with: .success(Page(items: [.tea])))
        await model.submit()
        #expect(held.requests == [.lookUp(reference, in: korea)])
        #expect(model.state.content.rows.map(\.app) == [.tea])
        #expect(model.state.summary == nil)
        #expect(model.select(at: 0) == .appStore(.app(AppStore.App.tea.id)))
        #expect(model.select(at: 1) == nil)
    }

    @Test(arguments: [
        "123abc", "https://example.com/app/id1", "1\u{E000}23", String(repeating: "9", count: 30), "Tea", "com..tea",
        "https://apps.apple.com/us/app/tea",
    ])
    func `rejects an invalid reference as it's typed, without a request`(text: String) async {
        let model = model(texts: .korean)
        model.query.mode = .lookUp
        model.query.text = text
        #expect(model.state.hint != nil)
        await model.submit()
        #expect(model.state.hint != nil)
        #expect(held.requests.isEmpty)
        #expect(model.state.content.status == .idle)
        model.query.mode = .search
        #expect(model.state.hint == nil)
    }

    /// facundoolano/app-store-scraper#230
    @Test(arguments: [
        "http://appstore.com/keynote", "https://appsto.re/us/jGM5F.i", "https://apps.apple.com/us/developer/x/id7",
        "https://apps.apple.com/app-bundle/x/id7",
    ])
    func `says that a link has no app number`(link: String) async {
        let model = model()
        model.query.mode = .lookUp
        model.query.text = link
        await model.submit()
        #expect(held.requests.isEmpty && model.state.hint?.hasPrefix("This link contains no app number.") == true)
        #expect(model.state.hint?.contains("“/app/”") == true)
    }

    @Test func `has no hint for an empty field until it's submitted`() async {
        let model = model()
        model.query.mode = .lookUp
        model.query.text = " "
        #expect(model.state.hint == nil)
        await model.submit()
        #expect(model.state.hint == "Enter an app ID or a bundle ID, or paste an App Store link.")
        model.query.mode = .search
        #expect(model.state.hint == nil)
        await model.submit()
        #expect(model.state.hint == Texts.english(.blankSearch))
        // As a text field does that writes its text back.
        let unchanged = model.query
        model.query = unchanged
        #expect(model.state.hint == Texts.english(.blankSearch))
        #expect(held.requests.isEmpty)
    }

    @Test(arguments: [
        ("https://apps.apple.com/app/x/id7", AppStore.AppReference.tea), ("앱 보기 apps.apple.com/app/id7", .tea),
        ("https://apps.apple.com/us/app/x/id7", .id(AppStore.AppID(7, in: .unitedStates))),
    ])
    func `looks up the app of a link that is pasted into a search`(text: String, reference: AppStore.AppReference) async
    {
        let model = model()
        model.query.text = text
        #expect(model.state.hint == nil)
        held.answer(0, with: .success(Page(items: [.tea])))
        await model.submit()
        #expect(held.requests == [.lookUp(reference, in: korea.preferring(reference))])
        #expect(model.state.content.rows.map(\.app) == [.tea] && model.state.summary == nil)
    }

    @Test(arguments: [
        "7", "com.example.tea", "AC/DC", "https://example.com/app/id7", "https://apps.apple.com/story/id7",
    ])
    func `searches for any other text`(text: String) async throws {
        let model = model()
        model.query.text = text
        held.answer(0, with: .success(Page(items: [])))
        await model.submit()
        #expect(held.requests == [.search(try AppStore.SearchTerm(text), in: korea, limit: 20)])
    }

    @Test func `distinguishes a missing app, a missing connection, a rate limit, and a bad response`() async throws {
        let info = BrowseError.RequestInfo(endpoint: "GET /lookup")
        let limit = BrowseError.RateLimit(
            kind: .secondary,
            retryAt: .init(timeIntervalSince1970: 0),
            isServerTime: false
        )
        var messages: [Message] = []
        for error in [
            BrowseError.notFound(info), .unreachable(.offline, info), .rateLimited(limit, info),
            .unusableResponse(.contentType("text/html"), info),
        ] {
            let model = model(InMemoryAppRepository(onCall: { _ throws(BrowseError) in throw error }))
            model.query.mode = .lookUp
            model.query.text = "7"
            await model.submit()
            messages.append(try message(model))
        }
        #expect(messages.map(\.kind) == [.notFound, .offline, .rateLimited(until: limit.retryAt), .serverFailure])
        #expect(messages.map(\.action) == [.changeInput, .retry, .retryLater(limit.retryAt), .retry])
        #expect(Set(messages.map(\.text)).count == 4)
        #expect(messages[0].text == "This app isn’t available in the App Store of this country or region.")
    }

    @Test func `removes the rows when the mode changes`() async {
        let model = model()
        model.query.text = "tea"
        held.answer(0, with: .success(Page(items: [.tea])))
        await model.submit()
        model.query.mode = .search
        #expect(model.state.content.rows.count == 1)
        model.query.mode = .lookUp
        #expect(model.state.content.status == .idle)
        #expect(model.state.hint?.hasPrefix("This isn’t an app ID, a bundle ID, or a link.") == true)
    }

    @Test func `repeats the request at once when the storefront changes`() async throws {
        let model = model()
        model.storefront = AppStore.Storefront()
        #expect(held.requests.isEmpty)
        model.query.text = "tea"
        held.answer(0, with: .success(Page(items: [.tea])))
        await model.submit()
        model.query.text = "not submitted"
        model.storefront = AppStore.Storefront()
        #expect(held.requests.count == 1)
        model.storefront = korea
        await held.waitForRequests(2)
        #expect(model.storefront == korea)
        held.answer(1, with: .success(Page(items: [.bare])))
        await model.until { $0.content.rows.map(\.app) == [.bare] }
        let term = try AppStore.SearchTerm("tea")
        #expect(held.requests == [.search(term, in: .init(), limit: 20), .search(term, in: korea, limit: 20)])
    }

    /// hackclub/flavortown#1968
    @Test func `keeps the country that was chosen for a link when it's submitted again`() async throws {
        let (model, japan) = (model(), AppStore.Storefront(country: try AppStore.Country("jp")))
        model.query.text = "https://apps.apple.com/us/app/x/id7 "
        for number in 0..<4 { held.answer(number, with: .success(Page(items: [.tea]))) }
        await model.submit()
        model.storefront = japan
        await held.waitForRequests(2)
        await model.submit()
        model.query.text = "https://apps.apple.com/us/app/x/id7?mt=8"
        await model.submit()
        let countries = held.requests.map { request in
            if case .lookUp(_, let storefront) = request { storefront.country.code } else { "" }
        }
        #expect(countries.first == "us" && countries.last == "us" && countries.dropFirst().first == "jp")
        #expect(Set(countries.dropFirst().dropLast()) == ["jp"])
    }

    @Test func `has a text for no results, and loads again after a failure`() async throws {
        let model = model()
        model.query.text = "nothing"
        held.answer(0, with: .failure(.timedOut(.sample)))
        await model.submit()
        #expect(try message(model).kind == .timedOut)
        held.answer(1, with: .success(Page(items: [])))
        await model.retry()
        #expect(try message(model).text == "No results for “nothing”. Check the spelling or try a new search.")
        #expect(model.state.summary == nil)
    }
}
