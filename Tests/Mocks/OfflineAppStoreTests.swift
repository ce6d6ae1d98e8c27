import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("The App Store offline", .bounded)
struct OfflineAppStoreTests {
    private let tea = AppStore.AppID(1_500_000_001)
    private let korea = AppStore.Storefront(country: .southKorea)

    private func apps(_ scenario: Scenario = .normal, clock: any Clock<Duration> = ContinuousClock()) throws
        -> RemoteAppRepository
    {
        let baseURL = try #require(URL(string: "https://host.test"))
        let transport = OfflineAppStore(scenario: scenario, clock: clock).transport()
        return RemoteAppRepository(
            client: HTTPClient(service: .appStore(baseURL: baseURL, userAgent: "MocksTests"), transport: transport)
        )
    }

    private func get(_ path: String, _ scenario: Scenario = .normal, method: HTTPMethod = .get) async throws
        -> HTTPClient.Response
    {
        let url = try #require(URL(string: "https://host.test" + path))
        let request = HTTPClient.Request(method: method, url: url, endpoint: "TEST")
        return try await OfflineAppStore(scenario: scenario).respond(to: request).get()
    }

    private func ids(_ path: String) async throws -> [Int64] {
        struct Envelope: Decodable {
            struct Row: Decodable {
                let trackId: Int64
            }

            let resultCount: Int
            let results: [Row]
        }
        let response = try await get(path)
        #expect(response.status == 200)
        let envelope = try JSONDecoder().decode(Envelope.self, from: response.body)
        #expect(envelope.resultCount == envelope.results.count)
        return envelope.results.map(\.trackId)
    }

    // MARK: - Fixtures

    /// Every field that the SDK reads and the shop may leave out.
    private static let optional: Set<String> = [
        "kind", "bundleId", "artistName", "artistViewUrl", "sellerName", "sellerUrl", "artworkUrl60", "artworkUrl100",
        "artworkUrl512", "primaryGenreName", "genres", "averageUserRating", "userRatingCount", "trackContentRating",
        "contentAdvisoryRating", "advisories", "description", "version", "currentVersionReleaseDate", "releaseNotes",
        "releaseDate", "screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls", "price", "currency",
        "formattedPrice", "fileSizeBytes", "minimumOsVersion", "languageCodesISO2A", "trackViewUrl",
    ]

    @Test func `has an app without each field that may be missing, one with all, and one with none`() throws {
        let envelope = try #require(
            JSONSerialization.jsonObject(with: Fixtures.appStore["apps"]) as? [String: Any]
        )
        let rows = try #require(envelope["results"] as? [[String: Any]])
        #expect(envelope["resultCount"] as? Int == rows.count)
        let missing = rows.map { Self.optional.subtracting($0.keys) }
        for field in Self.optional { #expect(missing.contains([field]), "\(field)") }
        #expect(missing.contains([]))
        #expect(missing.contains(Self.optional.subtracting(["kind"])))
        #expect(Set(rows.compactMap { $0["trackId"] as? Int }).count == rows.count)
    }

    @Test func `can be read whole, each app by its number and its bundle identifier`() async throws {
        let apps = try apps()
        for country in [AppStore.Country.unitedStates, .southKorea] {
            let storefront = AppStore.Storefront(country: country)
            var count = 0
            for number in 0..<43 {
                let id = AppStore.AppID(Int64(1_500_000_001 + 7 * number))
                guard let app = try? await apps.lookUp(id, in: storefront) else { continue }
                count += 1
                if let bundleID = app.bundleID { #expect(try await apps.lookUp(bundleID, in: storefront) == app) }
            }
            #expect(count == (country == .southKorea ? 35 : 34))
        }
        let bare = AppStore.App(id: .init(1_500_000_301, in: .unitedStates), name: "Bare Bones", platform: .iOS)
        #expect(try await apps.lookUp(bare.id, in: .init()) == bare)
    }

    // MARK: - Requests

    @Test func `answers as JavaScript, behind empty lines`() async throws {
        let response = try await get("/lookup?id=1500000001")
        #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(response.text.hasPrefix("\n\n\n{"))
        #expect(try await get("/lookup?id=1").text.contains("\"resultCount\":0"))
    }

    @Test(
        arguments: [
            ("/lookup?id=1500000001", [1_500_000_001]),
            ("/lookup?id=1500000015,1,1500000001", [1_500_000_015, 1_500_000_001]),
            ("/lookup?id=", []), ("/lookup", []), ("/lookup?bundleId=COM.example.teatimer", [1_500_000_001]),
            ("/lookup?bundleId=com.example", []), ("/lookup?id=1500000295", []),
            ("/lookup?id=1500000295&country=KR", [1_500_000_295]),
            ("/search?term=%20TEA%20", [1_500_000_001, 1_500_000_288]),
            ("/search?term=tea&limit=1", [1_500_000_001]), ("/search?term=tea&limit=0", [1_500_000_001]),
            ("/search?term=", []),
            ("/search", []), ("/search?term=nothing+here", []), ("/search?term=tea&media=music", []),
            ("/search?term=desk&entity=software", []), ("/search?term=desk&entity=macSoftware", [1_500_000_281]),
            ("/search?term=%EC%B0%A8&country=kr", [1_500_000_001]), ("/any/base/search?term=tea%20t", [1_500_000_001]),
        ] as [(String, [Int64])]
    )
    func `finds what a request asks for`(path: String, expected: [Int64]) async throws {
        #expect(try await ids(path) == expected)
    }

    @Test func `has prices and texts of the country`() async throws {
        let apps = try apps()
        let american = try await apps.lookUp(tea, in: .init())
        let korean = try await apps.lookUp(tea, in: korea)
        #expect(american.name == "Tea Timer" && american.price?.text == "$1.99")
        #expect(korean.name == "차 타이머" && korean.price?.text == "₩2,500" && korean.genre == "음식 및 음료")
    }

    @Test func `refuses a number that is none, and knows nothing else`() async throws {
        let response = try await get("/lookup?id=invalid")
        #expect(response.status == 400)
        #expect(response.body == (try Fixtures.appStore["error-invalid"]))
        let report = await OfflineAppStore().transport().report("/elsewhere")
        #expect(report.hasPrefix("OfflineAppStore has no answer to GET /elsewhere. "))
        #expect(try await get("/lookup?id=1500000001", method: .post).status == 400)
    }

    // MARK: - Scenarios

    private func lookUpError(_ scenario: Scenario) async throws -> BrowseError? {
        let apps = try apps(scenario)
        return await failure { () throws(BrowseError) in try await apps.lookUp(tea, in: .init()) }
    }

    @Test func `fails as the scenario says`() async throws {
        #expect(try await lookUpError(.serverError) == .serverFailure(.init(endpoint: "GET /lookup", status: 503)))
        #expect(try await lookUpError(.offline) == .unreachable(.offline, .init(endpoint: "GET /lookup")))
        guard case .rateLimited(let limit, let info) = try await lookUpError(.rateLimited(until: .distantFuture)) else {
            Issue.record("no limit")
            return
        }
        #expect(limit.kind == .primary && !limit.isServerTime)
        #expect(info.status == 403)
    }

    @Test func `when it is empty, apps are there and their ratings, pictures and search results are not`() async throws
    {
        let apps = try apps(.empty)
        let app = try await apps.lookUp(tea, in: .init())
        #expect(app.name == "Tea Timer")
        #expect(app.rating == AppStore.Rating(average: 0, count: 0))
        #expect(app.screenshots.shown.isEmpty && app.languageCodes.isEmpty)
        #expect(try await apps.search(for: AppStore.SearchTerm("tea"), in: .init(), limit: 50).items.isEmpty)
    }
}

@Suite("Doubles for the App Store", .bounded)
struct AppStoreDoubleTests {
    private let app = AppStore.App(
        id: .init(7, in: .unitedStates),
        name: "Tea",
        bundleID: .init(rawValue: "com.example.Tea")
    )
    private let national = AppStore.App(id: .init(7, in: .southKorea), name: "차", developer: .init(name: "House"))

    @Test func `in memory has apps of all countries and of one`() async throws {
        let apps = InMemoryAppRepository(apps: [app], only: [.southKorea: [national]])
        let korea = AppStore.Storefront(country: .southKorea)
        #expect(try await apps.lookUp(app.id, in: .init()) == app)
        #expect(try await apps.lookUp(app.id, in: korea) == national)
        #expect(try await apps.lookUp(AppStore.BundleID(rawValue: "COM.EXAMPLE.TEA"), in: .init()) == app)
        let missing = await failure { () throws(BrowseError) in
            try await apps.lookUp(AppStore.AppID(8), in: korea)
        }
        #expect(missing == .notFound(.init(endpoint: "InMemoryAppRepository.lookUp(_:in:)")))
        let term = try AppStore.SearchTerm("hous")
        #expect(try await apps.search(for: term, in: korea, limit: 5).items == [national])
        #expect(try await apps.search(for: term, in: .init(), limit: 5).items.isEmpty)
        let many = InMemoryAppRepository(apps: (1...300).map { .init(id: .init($0), name: "house") })
        #expect(try await many.search(for: term, in: .init(), limit: 0).items.count == 1)
        #expect(try await many.search(for: term, in: .init(), limit: 999).items.count == 200)
    }

    @Test func `in closures answer late`() async throws {
        let term = try AppStore.SearchTerm("tea")
        func errors(_ apps: AppRepositoryDouble) async -> [BrowseError?] {
            [
                await failure { () throws(BrowseError) in try await apps.lookUp(app.id, in: .init()) },
                await failure { () throws(BrowseError) in
                    try await apps.lookUp(AppStore.BundleID(rawValue: "a.b"), in: .init())
                },
                await failure { () throws(BrowseError) in try await apps.search(for: term, in: .init(), limit: 5) },
            ]
        }
        let held = ControlledResponses<AppRepositoryDouble.Request, Page<AppStore.App>>()
        held.answer(0, with: .success(Page(items: [])))
        held.answer(1, with: .success(Page(items: [app])))
        held.answer(2, with: .success(Page(items: [app])))
        let results = await errors(.controlled(by: held))
        #expect(results[0]?.request?.endpoint == "AppRepositoryDouble.controlled(by: _:)")
        #expect(results[1] == nil && results[2] == nil)
        #expect(
            held.requests == [
                .lookUp(.id(app.id), in: .init()), .lookUp(.bundleID(.init(rawValue: "a.b")), in: .init()),
                .search(term, in: .init(), limit: 5),
            ]
        )
    }
}
