import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("The App Store offline", .bounded)
struct OfflineAppStoreTests {
    /// Every field that the SDK reads and the shop may leave out.
    private static let optional: Set<String> = [
        "kind", "bundleId", "artistName", "artistViewUrl", "sellerName", "sellerUrl", "artworkUrl60", "artworkUrl100",
        "artworkUrl512", "primaryGenreName", "genres", "averageUserRating", "userRatingCount", "trackContentRating",
        "contentAdvisoryRating", "advisories", "description", "version", "currentVersionReleaseDate", "releaseNotes",
        "releaseDate", "screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls", "price", "currency",
        "formattedPrice", "fileSizeBytes", "minimumOsVersion", "languageCodesISO2A", "trackViewUrl",
    ]

    @Test func `has an app without each field that may be missing, one with all, and one with none`() throws {
        let envelope = try #require(JSONSerialization.jsonObject(with: Fixtures.appStore["apps"]) as? [String: Any])
        let rows = try #require(envelope["results"] as? [[String: Any]])
        #expect(envelope["resultCount"] as? Int == rows.count)
        let missing = rows.map { Self.optional.subtracting($0.keys) }
        for field in Self.optional { #expect(missing.contains([field]), "\(field)") }
        #expect(missing.contains([]))
        #expect(missing.contains(Self.optional.subtracting(["kind"])))
        #expect(Set(rows.compactMap { $0["trackId"] as? Int }).count == rows.count)
    }

    @Test func `can be read whole, each app by its number and its bundle identifier`() async throws {
        let baseURL = try #require(URL(string: "https://host.test"))
        let transport = OfflineAppStore().transport()
        let apps = RemoteAppRepository(
            client: HTTPClient(service: .appStore(baseURL: baseURL, userAgent: "MocksTests"), transport: transport)
        )
        for country in [AppStore.Country.unitedStates, .southKorea] {
            let storefront = AppStore.Storefront(country: country)
            var count = 0
            for number in 0..<43 {
                let id = AppStore.AppID(Int64(1_500_000_001 + 7 * number))
                guard let app = try? await apps.lookUp(.id(id), in: storefront) else { continue }
                count += 1
                if let bundleID = app.bundleID {
                    #expect(try await apps.lookUp(.bundleID(bundleID), in: storefront) == app)
                }
            }
            #expect(count == (country == .southKorea ? 35 : 34))
        }
        let bare = AppStore.App(id: .init(1_500_000_301, in: .unitedStates), name: "Bare Bones") { $0.platform = .iOS }
        #expect(try await apps.lookUp(.id(bare.id), in: .init()) == bare)
    }

    @Test func `shows an app's icon as one picture in all sizes, and screenshots larger`() async throws {
        let images = Container.offline().imageRepository()
        for name in ["apps", "apps-kr"] {
            let file = try JSONSerialization.jsonObject(with: Fixtures.appStore[name]) as? [String: Any]
            for row in try #require(file?["results"] as? [[String: Any]]) {
                func drawn(_ address: String, _ side: Int) throws -> EncodedImage {
                    let url = try #require(URL(string: address))
                    return .drawn(for: "images.example\(url.deletingLastPathComponent().path())icon.png", side: side)
                }
                for side in [60, 100, 512] {
                    guard let address = row["artworkUrl\(side)"] as? String else { continue }
                    let icon = try await images.image(for: ImageRequest(WebAddress(rawValue: address)))
                    #expect(try icon == drawn(address, side), "\(address)")
                }
                for address in row["screenshotUrls"] as? [String] ?? [] {
                    let picture = try await images.image(for: ImageRequest(WebAddress(rawValue: address)))
                    #expect(picture.size == PixelSize(width: 250, height: 250), "\(address)")
                }
            }
        }
    }
}
