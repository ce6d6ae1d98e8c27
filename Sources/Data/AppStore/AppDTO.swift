import BrowseDomain
import Foundation

/// A row of the App Store's replies that is an app; of others the decoder throws.
///
/// Only what is used is read, and addresses stay text. Apple's documentation calls every field optional; number and name are
/// what all replies have.
struct AppDTO: Decodable, Sendable {
    let trackID: Int64
    let trackName: String
    let bundleID: String?
    let artistName: String?
    let artistViewURL: String?
    let sellerName: String?
    let sellerURL: String?
    let artworkURL60: String?
    let artworkURL100: String?
    let artworkURL512: String?
    let primaryGenreName: String?
    let genres: [String]?
    let averageUserRating: Double?
    let userRatingCount: Int?
    let trackContentRating: String?
    let contentAdvisoryRating: String?
    let advisories: [String]?
    let description: String?
    let version: String?
    let currentVersionReleaseDate: String?
    let releaseNotes: String?
    let releaseDate: String?
    let screenshotURLs: [String]?
    let iPadScreenshotURLs: [String]?
    let appleTVScreenshotURLs: [String]?
    let price: Decimal?
    let currency: String?
    let formattedPrice: String?
    let fileSizeBytes: String?
    let minimumOSVersion: String?
    let languageCodes: [String]?
    let trackViewURL: String?

    private enum CodingKeys: String, CodingKey {
        case artistName, sellerName, primaryGenreName, genres, averageUserRating, userRatingCount, trackName
        case trackContentRating, contentAdvisoryRating, advisories, description, version, currentVersionReleaseDate
        case releaseNotes, releaseDate, price, currency, formattedPrice, fileSizeBytes
        case trackID = "trackId"
        case bundleID = "bundleId"
        case artistViewURL = "artistViewUrl"
        case sellerURL = "sellerUrl"
        case artworkURL60 = "artworkUrl60"
        case artworkURL100 = "artworkUrl100"
        case artworkURL512 = "artworkUrl512"
        case screenshotURLs = "screenshotUrls"
        case iPadScreenshotURLs = "ipadScreenshotUrls"
        case appleTVScreenshotURLs = "appletvScreenshotUrls"
        case minimumOSVersion = "minimumOsVersion"
        case languageCodes = "languageCodesISO2A"
        case trackViewURL = "trackViewUrl"
    }
}

extension AppStore.App {
    init(_ dto: AppDTO) {
        self.init(
            id: AppStore.AppID(rawValue: dto.trackID),
            name: dto.trackName,
            bundleID: dto.bundleID.flatMap { $0.isEmpty ? nil : AppStore.BundleID(rawValue: $0) },
            developer: Developer(dto),
            icon: Icon(
                small: .shop(dto.artworkURL60),
                medium: .shop(dto.artworkURL100),
                large: .shop(dto.artworkURL512)
            ),
            genre: dto.primaryGenreName,
            genres: dto.genres ?? [],
            rating: dto.averageUserRating.map { AppStore.Rating(average: $0, count: dto.userRatingCount) },
            ageRating: dto.trackContentRating ?? dto.contentAdvisoryRating,
            advisories: dto.advisories ?? [],
            description: dto.description,
            version: dto.version,
            versionDate: dto.currentVersionReleaseDate.flatMap { try? Date($0, strategy: .iso8601) },
            releaseNotes: dto.releaseNotes,
            releaseDate: dto.releaseDate.flatMap { try? Date($0, strategy: .iso8601) },
            screenshots: Screenshots(
                main: (dto.screenshotURLs ?? []).compactMap { .shop($0) },
                iPad: (dto.iPadScreenshotURLs ?? []).compactMap { .shop($0) },
                appleTV: (dto.appleTVScreenshotURLs ?? []).compactMap { .shop($0) }
            ),
            price: Price(amount: dto.price, currency: dto.currency, text: dto.formattedPrice),
            fileSize: dto.fileSizeBytes.flatMap(Self.bytes),
            minimumOSVersion: dto.minimumOSVersion,
            languageCodes: dto.languageCodes ?? [],
            storePage: .shop(dto.trackViewURL)
        )
    }

    /// A size, which the shop sends as text; `nil` for what is no whole number of bytes.
    private static func bytes(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}

extension AppStore.App.Developer {
    /// `nil` when neither the name nor the seller is told.
    fileprivate init?(_ dto: AppDTO) {
        let names = [dto.artistName, dto.sellerName].compactMap { $0?.trimmed }
        guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
        self.init(
            name: name,
            sellerName: dto.sellerName,
            storePage: .shop(dto.artistViewURL),
            webPage: .shop(dto.sellerURL)
        )
    }
}

extension WebAddress {
    /// The address in a field that may be empty.
    fileprivate static func shop(_ text: String?) -> WebAddress? {
        text.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) }
    }
}
