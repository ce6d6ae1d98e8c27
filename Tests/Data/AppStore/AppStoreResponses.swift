import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Testing

/// Response bodies in the App Store's format.
enum AppStoreResponses {
    /// A row with all decoded fields.
    static let full = #"""
        {"wrapperType":"software","kind":"software","trackId":9007199254740993,"trackName":" 차 & Tea ",
        "bundleId":"com.example.Tea","artistId":5,"artistName":"Tea House","artistViewUrl":"https://apps.example/dev/id5",
        "sellerName":"Tea House, Inc.","sellerUrl":"http://tea.example","artworkUrl60":"https://i.example/60.png",
        "artworkUrl100":"https://i.example/100.png","artworkUrl512":"https://i.example/512.png",
        "primaryGenreName":"Food & Drink","primaryGenreId":6023,"genres":["Food & Drink","Lifestyle"],
        "genreIds":["6023","6012"],"averageUserRating":4.75,"userRatingCount":12345,"trackContentRating":"4+",
        "contentAdvisoryRating":"9+","advisories":["Mild thirst"],"description":"Tea.\n\nMore tea.\n","version":"2.10",
        "currentVersionReleaseDate":"2018-11-05T01:18:50Z","releaseNotes":"Hotter.","releaseDate":"2008-07-11T07:00:00Z",
        "screenshotUrls":["https://i.example/a.jpg","","https://i.example/b.jpg"],
        "ipadScreenshotUrls":["https://i.example/c.jpg"],"appletvScreenshotUrls":["https://i.example/d.jpg"],
        "price":1.99,"currency":"USD","formattedPrice":"$1.99","fileSizeBytes":"124699648","minimumOsVersion":"16.0",
        "languageCodesISO2A":["EN","ZH","ZH","KO"],"trackViewUrl":"https://apps.apple.com/us/app/tea/id9007199254740993",
        "isGameCenterEnabled":false,"features":["iosUniversal"],"supportedDevices":["iPhone"]}
        """#

    /// The decoded ``full`` row.
    static let fullApp = AppStore.App(id: .init(9_007_199_254_740_993, in: .unitedStates), name: "차 & Tea") {
        $0.bundleID = .init(rawValue: "com.example.Tea")
        $0.developer = .init(
            name: "Tea House",
            sellerName: "Tea House, Inc.",
            storePage: WebAddress(rawValue: "https://apps.example/dev/id5"),
            webPage: WebAddress(rawValue: "http://tea.example")
        )
        $0.icon = .init(
            small: WebAddress(rawValue: "https://i.example/60.png"),
            medium: WebAddress(rawValue: "https://i.example/100.png"),
            large: WebAddress(rawValue: "https://i.example/512.png")
        )
        $0.genre = "Food & Drink"
        $0.rating = .init(average: 4.75, count: 12_345)
        $0.ageRating = "4+"
        $0.description = "Tea.\n\nMore tea."
        $0.version = "2.10"
        $0.versionDate = Date(timeIntervalSince1970: 1_541_380_730)
        $0.releaseNotes = "Hotter."
        $0.releaseDate = Date(timeIntervalSince1970: 1_215_759_600)
        $0.screenshots = .init(
            main: [WebAddress(rawValue: "https://i.example/a.jpg"), WebAddress(rawValue: "https://i.example/b.jpg")],
            iPad: [WebAddress(rawValue: "https://i.example/c.jpg")],
            appleTV: [WebAddress(rawValue: "https://i.example/d.jpg")]
        )
        $0.price = .init(amount: Decimal(string: "1.99"), currency: "USD", text: "$1.99")
        $0.fileSize = 124_699_648
        $0.platform = .iOS
        $0.minimumOSVersion = "16.0"
        $0.languageCodes = ["en", "zh", "ko"]
        $0.storePage = WebAddress(rawValue: "https://apps.apple.com/us/app/tea/id9007199254740993")
    }

    /// A row with only the required fields.
    static func row(_ id: Int, more: String = "") -> String {
        #"{"trackId":\#(id),"trackName":"App \#(id)"\#(more)}"#
    }

    /// The envelope, after the empty lines at the start of real responses.
    static func found(_ rows: String...) -> String {
        #"\#n\#n\#n{"resultCount":\#(rows.count), "results": [\#(rows.joined(separator: ",\n"))]}\#n\#n"#
    }

    static let refusal = """
        {"errorMessage":"Invalid value(s) for key(s): [itunesId]", "queryParameters":{"output":"json"}}
        """
}

/// A loopback server with one response for all requests, and a repository that uses it.
struct AppStoreService {
    let server: LoopbackServer
    let apps: RemoteAppRepository

    init(
        _ body: String,
        status: Int = 200,
        type: String? = "text/javascript; charset=utf-8",
        headers: [(String, String)] = []
    ) throws {
        let headers = headers + (type.map { [("Content-Type", $0)] } ?? [])
        server = try LoopbackServer { _ in LoopbackResponse(status: status, headers: headers, body: body) }
        apps = RemoteAppRepository(client: try .appStore(at: server.origin))
    }

    /// The errors of both lookups and the search.
    func failures() async -> [BrowseError?] {
        [
            await thrown { () async throws(BrowseError) in
                try await apps.lookUp(.id(AppStore.AppID(7)), in: .init())
            },
            await thrown { () async throws(BrowseError) in
                try await apps.lookUp(.bundleID(AppStore.BundleID(rawValue: "a.b")), in: .init())
            },
            await search("x"),
        ]
    }

    private func search(_ text: String) async -> BrowseError? {
        guard let term = try? AppStore.SearchTerm(text) else { return nil }
        return await thrown { () async throws(BrowseError) in
            try await apps.search(for: term, in: .init(), limit: 50)
        }
    }

    /// The request infos in the errors of ``failures()``.
    static func infos(status: Int, message: String? = nil) -> [BrowseError.RequestInfo] {
        ["GET /lookup", "GET /lookup", "GET /search"].map {
            var info = BrowseError.RequestInfo(endpoint: $0, status: status) { $0.serverMessage = message }
            info.rejection = message == nil ? nil : .input
            return info
        }
    }
}
