import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite("Apps of the App Store", .bounded)
struct RemoteAppRepositoryTests {
    private let seven = AppStore.AppID(7, in: .unitedStates)
    private let korea = AppStore.Storefront(country: .southKorea, language: try? AppStore.Language("ko_kr"))

    // MARK: - Requests

    @Test func `are looked up by ID, country, and optional language`() async throws {
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7)))
        _ = try await service.apps.lookUp(.id(seven), in: .init())
        _ = try await service.apps.lookUp(.id(seven), in: korea)
        #expect(
            service.server.requests.map(\.target) == ["/lookup?id=7&country=us", "/lookup?id=7&country=kr&lang=ko_kr"]
        )
        #expect(service.server.requests.map(\.method) == ["GET", "GET"])
        #expect(service.server.requests.first?.header("User-Agent") == "BrowseKit-Tests")
    }

    @Test func `are looked up by bundle ID, ignoring case`() async throws {
        let service = try AppStoreService(
            AppStoreResponses.found(AppStoreResponses.row(9, more: #","bundleId":"com.example.Tea""#))
        )
        let bundleID = AppStore.BundleID(rawValue: "COM.example.tea")
        #expect(try await service.apps.lookUp(.bundleID(bundleID), in: korea).id.number == 9)
        #expect(service.server.requests.map(\.target) == ["/lookup?bundleId=COM.example.tea&country=kr&lang=ko_kr"])
    }

    // majd/ipatool#14, 37MobileTeam/iAppStore-SwiftUI#14
    @Test(
        "are searched for by any text, encoded once, with a clamped limit, also those that need an iPad",
        arguments: [
            ("tea", 50, "term=tea", 50), ("C++ a&b=c #1", 0, "term=C%2B%2B%20a%26b%3Dc%20%231", 1),
            ("차 100%", 1_000, "term=%EC%B0%A8%20100%25", 200), ("x", .min, "term=x", 1), ("x", 200, "term=x", 200),
        ]
    )
    func search(text: String, limit: Int, item: String, sent: Int) async throws {
        let service = try AppStoreService(AppStoreResponses.found())
        let page = try await service.apps.search(for: AppStore.SearchTerm(text), in: korea, limit: limit)
        #expect(page == Page(items: []))
        #expect(
            service.server.requests.map(\.target) == [
                "/search?\(item)&media=software&entity=software%2CiPadSoftware&limit=\(sent)&country=kr&lang=ko_kr"
            ]
        )
    }

    // MARK: - Decoding

    @Test func `have every field of the response`() async throws {
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.full))
        let app = try await service.apps.lookUp(.id(AppStoreResponses.fullApp.id), in: .init())
        #expect(app == AppStoreResponses.fullApp)
        let page = try await service.apps.search(for: AppStore.SearchTerm("tea"), in: .init(), limit: 50)
        #expect(page == Page(items: [AppStoreResponses.fullApp]))
    }

    /// All fields but the two required ones.
    private static let optional = [
        "wrapperType", "kind", "bundleId", "artistName", "artistViewUrl", "sellerName", "sellerUrl", "artworkUrl60",
        "artworkUrl100", "artworkUrl512", "primaryGenreName", "averageUserRating", "userRatingCount",
        "trackContentRating", "contentAdvisoryRating", "description", "version",
        "currentVersionReleaseDate", "releaseNotes", "releaseDate", "screenshotUrls", "ipadScreenshotUrls",
        "appletvScreenshotUrls", "price", "currency", "formattedPrice", "fileSizeBytes", "minimumOsVersion",
        "languageCodesISO2A", "trackViewUrl",
    ]

    @Test func `have no values for missing, null, and empty fields`() async throws {
        let lists: Set<String> = [
            "screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls", "languageCodesISO2A",
        ]
        let numbers: Set<String> = ["averageUserRating", "userRatingCount", "price", "wrapperType"]
        let empty = Self.optional.filter { !numbers.contains($0) }
            .map { lists.contains($0) ? #","\#($0)":[""]"# : #","\#($0)":"""# }
            .joined()
        for more in ["", Self.optional.map { #","\#($0)":null"# }.joined(), empty] {
            let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7, more: more)))
            #expect(try await service.apps.lookUp(.id(seven), in: .init()) == AppStore.App(id: seven, name: "App 7"))
        }
    }

    @Test func `fall back to the seller's name and the advisory's age rating`() async throws {
        let more = #","sellerName":"Tea, Inc.","contentAdvisoryRating":"12+""#
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7, more: more)))
        let app = try await service.apps.lookUp(.id(seven), in: .init())
        #expect(app.developer?.name == "Tea, Inc.")
        #expect(app.ageRating == "12+")
    }

    @Test(
        "accept fractional numbers, and sizes in digits only",
        arguments: [
            (#""price":0"#, "0", nil, nil), (#""price":0.00"#, "0", nil, nil), (#""price":33.99"#, "33.99", nil, nil),
            (#""price":2500"#, "2500", nil, nil), (#""averageUserRating":4"#, nil, 4, nil),
            (#""averageUserRating":4.69837"#, nil, 4.69837, nil), (#""averageUserRating":51"#, nil, 5, nil),
            (#""fileSizeBytes":"0""#, nil, nil, 0), (#""fileSizeBytes":"124699648""#, nil, nil, 124_699_648),
            (#""fileSizeBytes":"big""#, nil, nil, nil), (#""fileSizeBytes":"-1""#, nil, nil, nil),
            (#""fileSizeBytes":"+1""#, nil, nil, nil), (#""fileSizeBytes":"1.5""#, nil, nil, nil),
            (#""fileSizeBytes":"99999999999999999999""#, nil, nil, nil), (#""fileSizeBytes":"１""#, nil, nil, nil),
        ] as [(String, String?, Double?, Int64?)]
    )
    func numbers(field: String, price: String?, rating: Double?, size: Int64?) async throws {
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7, more: "," + field)))
        let app = try await service.apps.lookUp(.id(seven), in: .init())
        #expect(app.price?.amount == price.flatMap { Decimal(string: $0) })
        #expect(app.rating?.average == rating)
        #expect(app.fileSize == size)
    }

    @Test(arguments: ["yesterday", "2018-11-05", "", "2018-13-05T01:18:50Z"])
    func `have no date if it can't be parsed`(text: String) async throws {
        let more = #","releaseDate":"\#(text)","currentVersionReleaseDate":"\#(text)""#
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7, more: more)))
        #expect(try await service.apps.lookUp(.id(seven), in: .init()) == AppStore.App(id: seven, name: "App 7"))
    }

    // MARK: - Rows that aren't apps

    @Test func `of a search are returned even if another row can't be decoded or isn't an app`() async throws {
        let service = try AppStoreService(
            AppStoreResponses.found(
                AppStoreResponses.row(1),
                #"{"trackId":2}"#,
                #"{"wrapperType":"track","kind":"song","trackId":3,"trackName":"x"}"#,
                "null",
                #"{"trackId":"4","trackName":"x"}"#,
                AppStoreResponses.row(5),
                #"{"kind":"ebook","trackId":6,"trackName":"x"}"#
            )
        )
        let page = try await service.apps.search(for: AppStore.SearchTerm("x"), in: .init(), limit: 50)
        #expect(page.items.map(\.id.number) == [1, 5])
        #expect(page.skipped.count == 5)
        #expect(page.skipped.first == .init(codingPath: "results[1].trackName", reason: "missing"))
        #expect(page.next == nil)
    }

    @Test func `of a search don't look like no results if none is an app`() async throws {
        let song = #"{"wrapperType":"track","kind":"song","trackId":3,"trackName":"x"}"#
        let service = try AppStoreService(AppStoreResponses.found(song))
        let term = try AppStore.SearchTerm("x")
        let error = await thrown { () throws(BrowseError) in
            try await service.apps.search(for: term, in: .init(), limit: 50)
        }
        guard case .unusableResponse(.decoding(let failure), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure == .init(codingPath: "results[0].wrapperType", reason: "not an app"))
    }

    @Test(arguments: [
        AppStoreResponses.found(), #"{"resultCount":0,"results":[]}"#,
        AppStoreResponses.found(AppStoreResponses.row(8, more: #","bundleId":"b.c""#)),
        AppStoreResponses.found(#"{"wrapperType":"artist","artistType":"Software Artist","artistId":7}"#),
        AppStoreResponses.found(
            #"{"wrapperType":"track","kind":"song","trackId":7,"trackName":"x","bundleId":"a.b"}"#
        ),
    ])
    func `that don't exist throw notFound`(body: String) async throws {
        let failures = try await AppStoreService(body).failures()
        let infos = AppStoreService.infos(status: 200)
        #expect(failures[0] == .notFound(infos[0]))
        #expect(failures[1] == .notFound(infos[1]))
    }

    @Test func `are found among other rows of a lookup`() async throws {
        let service = try AppStoreService(
            AppStoreResponses.found(
                #"{"wrapperType":"artist"}"#,
                AppStoreResponses.row(8),
                AppStoreResponses.row(7),
                "{}"
            )
        )
        #expect(try await service.apps.lookUp(.id(seven), in: .init()).id == seven)
    }

    @Test(arguments: [
        (AppStoreResponses.found(#"{"trackId":7}"#), "results[0].trackName", "missing"),
        (AppStoreResponses.found(AppStoreResponses.row(8), #"{"trackId":7}"#), "results[1].trackName", "missing"),
        (#"{"resultCount":1}"#, "results", "missing"),
        (#"{"results":{}}"#, "results", "not of type"), ("[]", "", "not of type"),
        ("\n{\"results\":[", "", "not valid JSON"),
        ("callback({})", "", "not valid JSON"),
    ])
    func `that can't be decoded throw unusableResponse instead of notFound`(body: String, path: String, reason: String)
        async throws
    {
        let failures = try await AppStoreService(body).failures()
        guard case .unusableResponse(.decoding(let failure), let info) = failures[0] else {
            Issue.record("\(String(describing: failures[0]))")
            return
        }
        #expect(failure.codingPath == path)
        #expect(failure.reason.hasPrefix(reason), "\(failure.reason)")
        #expect(info == AppStoreService.infos(status: 200)[0])
    }
}
