import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import Foundation
import TestLimits
import Testing

// These run only if the environment variable BROWSEKIT_CORPUS names a folder of recorded responses (see `Corpus`).
@Suite(
    "Recorded responses of the App Store",
    .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"),
    .bounded
)
struct AppStoreCorpusTests {
    /// The rows of a response, parsed by `JSONSerialization`.
    private func rows(_ response: Corpus.Response) throws -> [[String: Any]] {
        let fields = try #require(response.object as? [String: Any], "\(response.name)")
        return try #require(fields["results"] as? [[String: Any]], "\(response.name)")
    }

    @Test func `of searches decode every row and every field`() async throws {
        let responses = try Corpus.appStoreResponses(of: "search")
        #expect(responses.count >= 16)
        var count = 0
        // A search for songs, which isn't a response to a search for apps.
        for response in responses where response.name != "yokudera_search" {
            let apps = RemoteAppRepository(client: try Corpus.appStoreClient(for: response))
            let page = try await apps.search(for: AppStore.SearchTerm("x"), in: .init(), limit: 50)
            let rows = try rows(response)
            #expect(page.skipped.count == 0 && page.next == nil)
            #expect(page.items.count == rows.count, "\(response.name)")
            for (app, row) in zip(page.items, rows) { expectEqual(app, row) }
            count += rows.count
        }
        #expect(count >= 273)
    }

    @Test func `of lookups decode the app, by ID and by bundle ID, or no app`() async throws {
        let responses = try Corpus.appStoreResponses(of: "lookup")
        #expect(responses.count >= 6)
        for response in responses {
            let apps = RemoteAppRepository(client: try Corpus.appStoreClient(for: response))
            guard let row = try rows(response).first else {
                let error = await thrown { () async throws(BrowseError) in
                    try await apps.lookUp(.id(AppStore.AppID(1)), in: .init())
                }
                #expect(error == .notFound(.init(endpoint: "GET /lookup", status: 200)))
                continue
            }
            let id = AppStore.AppID(try #require(row["trackId"] as? NSNumber).int64Value)
            let bundleID = AppStore.BundleID(rawValue: try #require(row["bundleId"] as? String))
            let app = try await apps.lookUp(.id(id), in: .init())
            expectEqual(app, row)
            #expect(try await apps.lookUp(.bundleID(bundleID), in: .init()) == app)
            // IDs from the store pass the validation of typed IDs.
            #expect(try AppStore.BundleID(typed: bundleID.rawValue) == bundleID)
            guard case .id(let linked) = try AppStore.AppReference(app.link.rawValue) else { throw CancellationError() }
            #expect(linked.number == id.number)
        }
    }

    private func expectEqual(_ app: AppStore.App, _ row: [String: Any]) {
        func text(_ key: String) -> String? {
            let text = (row[key] as? String)?.drop(while: \.isWhitespace)
            return text?.isEmpty == false ? text.map { String($0.trimmingSuffix(while: \.isWhitespace)) } : nil
        }
        func number(_ key: String) -> NSNumber? { row[key] as? NSNumber }
        func date(_ key: String) -> Date? { text(key).flatMap { ISO8601DateFormatter().date(from: $0) } }
        let name = "\(app.name)"
        #expect(app.id.number == number("trackId")?.int64Value)
        #expect(app.name == text("trackName"))
        #expect(app.bundleID?.rawValue == text("bundleId"))
        #expect(app.developer?.name == text("artistName"))
        #expect(app.developer?.sellerName == text("sellerName"))
        #expect(app.developer?.storePage?.rawValue == text("artistViewUrl"))
        #expect(app.developer?.webPage?.rawValue == text("sellerUrl"), "\(name)")
        #expect(app.icon.small?.rawValue == text("artworkUrl60"))
        #expect(app.icon.medium?.rawValue == text("artworkUrl100"))
        #expect(app.icon.large?.rawValue == text("artworkUrl512"))
        #expect(app.genre == text("primaryGenreName"))
        // `JSONSerialization` loses the last digits of a long number.
        let (rating, expected) = (app.rating?.average ?? -1, number("averageUserRating")?.doubleValue ?? -1)
        #expect(abs(rating - expected) < 1e-9, "\(name)")
        #expect(app.rating?.count == number("userRatingCount")?.intValue, "\(name)")
        #expect(app.ageRating == text("trackContentRating"))
        #expect(app.description == text("description"), "\(name)")
        #expect(app.version == text("version"))
        #expect(app.versionDate == date("currentVersionReleaseDate"), "\(name)")
        #expect(app.releaseNotes == text("releaseNotes"), "\(name)")
        #expect(app.releaseDate == date("releaseDate"))
        #expect(app.screenshots.main.map(\.rawValue) == row["screenshotUrls"] as? [String] ?? [])
        #expect(app.screenshots.iPad.map(\.rawValue) == row["ipadScreenshotUrls"] as? [String] ?? [])
        #expect(
            app.price?.amount.map { "\($0)" } == number("price").map { "\(Decimal(string: "\($0)") ?? -1)" },
            "\(name)"
        )
        #expect(app.price == nil || app.price?.currency == text("currency"))
        #expect(app.price?.text == text("formattedPrice"), "\(name)")
        #expect(app.fileSize.map(String.init) == text("fileSizeBytes"), "\(name)")
        #expect(app.minimumOSVersion == text("minimumOsVersion"))
        #expect(Set(app.languageCodes) == Set((row["languageCodesISO2A"] as? [String] ?? []).map { $0.lowercased() }))
        #expect(app.storePage?.rawValue == text("trackViewUrl"))
        #expect(app.storePage?.url != nil && app.icon.largest?.url != nil)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> Substring {
        lastIndex { !isUnwanted($0) }.map { self[...$0] } ?? ""
    }
}
