import BrowseAppStoreDomain
import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// An app in a response of the iTunes Search API.
///
/// Decodes only the fields in use; URLs stay text. Apple documents all fields as optional, but responses always have an ID
/// and a name.
struct AppDTO: Decodable, Sendable {
    let trackID: Int64
    @Lenient var trackName: String?
    @Lenient var trackCensoredName: String?
    @Lenient var bundleID: String?
    @Lenient var artistName: String?
    @Lenient var artistViewURL: String?
    @Lenient var sellerName: String?
    @Lenient var sellerURL: String?
    @Lenient var artworkURL60: String?
    @Lenient var artworkURL100: String?
    @Lenient var artworkURL512: String?
    @Lenient var primaryGenreName: String?
    @Lenient var averageUserRating: Double?
    @Lenient var userRatingCount: Int?
    @Lenient var trackContentRating: String?
    @Lenient var contentAdvisoryRating: String?
    @Lenient var description: String?
    @Lenient var version: String?
    @Lenient var currentVersionReleaseDate: String?
    @Lenient var releaseNotes: String?
    @Lenient var releaseDate: String?
    @Lenient var screenshotURLs: [String]?
    @Lenient var iPadScreenshotURLs: [String]?
    @Lenient var appleTVScreenshotURLs: [String]?
    @Lenient var price: Decimal?
    @Lenient var currency: String?
    @Lenient var formattedPrice: String?
    @Lenient var fileSizeBytes: String?
    @Lenient var minimumOSVersion: String?
    @Lenient var languageCodes: [String]?
    @Lenient var trackViewURL: String?
    @Lenient var kind: String?

    private enum CodingKeys: String, CodingKey {
        case artistName, sellerName, primaryGenreName, averageUserRating, userRatingCount, trackName
        case trackCensoredName, trackContentRating, contentAdvisoryRating, description, version
        case currentVersionReleaseDate, releaseNotes, releaseDate, price, currency, formattedPrice, fileSizeBytes
        case kind
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

    /// The name, or the censored name if it's missing or blank; `nil` if there's neither.
    var name: String? {
        [trackName, trackCensoredName].compactMap(\.self).first { !$0.trimmed.isEmpty } ?? trackName
    }
}

extension AppStore.App {
    init(_ dto: AppDTO, in country: AppStore.Country) {
        self.init(
            id: AppStore.AppID(dto.trackID, in: country),
            name: dto.name ?? "",
            bundleID: dto.bundleID.flatMap { $0.isEmpty ? nil : AppStore.BundleID(rawValue: $0) },
            developer: Developer(dto),
            icon: Icon(
                small: .nonEmpty(dto.artworkURL60),
                medium: .nonEmpty(dto.artworkURL100),
                large: .nonEmpty(dto.artworkURL512)
            ),
            genre: dto.primaryGenreName,
            rating: dto.averageUserRating.map { AppStore.Rating(average: $0, count: dto.userRatingCount) },
            ageRating: dto.trackContentRating ?? dto.contentAdvisoryRating,
            description: dto.description,
            version: dto.version,
            versionDate: dto.currentVersionReleaseDate.flatMap { try? Date($0, strategy: .iso8601) },
            releaseNotes: dto.releaseNotes,
            releaseDate: dto.releaseDate.flatMap { try? Date($0, strategy: .iso8601) },
            screenshots: Screenshots(
                main: (dto.screenshotURLs ?? []).compactMap { .nonEmpty($0) },
                iPad: (dto.iPadScreenshotURLs ?? []).compactMap { .nonEmpty($0) },
                appleTV: (dto.appleTVScreenshotURLs ?? []).compactMap { .nonEmpty($0) }
            ),
            price: Price(amount: dto.price, currency: dto.currency, text: dto.formattedPrice),
            fileSize: dto.fileSizeBytes.flatMap(Self.bytes),
            platform: dto.kind.flatMap(Platform.init),
            minimumOSVersion: dto.minimumOSVersion,
            languageCodes: dto.languageCodes ?? [],
            storePage: .nonEmpty(dto.trackViewURL)
        )
    }

    /// Parses a size in bytes, which the API sends as text; `nil` if it isn't a whole number.
    private static func bytes(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(text)
    }
}

extension AppStore.App.Developer {
    /// Creates a developer; `nil` if both the name and the seller are missing or blank.
    fileprivate init?(_ dto: AppDTO) {
        let names = [dto.artistName, dto.sellerName].compactMap { $0?.trimmed }
        guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
        self.init(
            name: name,
            sellerName: dto.sellerName,
            storePage: .nonEmpty(dto.artistViewURL),
            webPage: .nonEmpty(dto.sellerURL)
        )
    }
}

extension WebAddress {
    /// The address in an optional field; `nil` if it's empty.
    fileprivate static func nonEmpty(_ text: String?) -> WebAddress? {
        text.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) }
    }
}

/// The fields that distinguish an error from a response without results.
struct AppStoreResponseDTO: Decodable {
    struct Row: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    @Lenient var errorMessage: String?
    @Lenient var results: [Row]?
}

/// The envelope of all responses.
///
/// `resultCount` isn't reliable: recorded responses have 50 with 12 rows.
struct AppStoreRowsDTO<Row: Decodable & Sendable>: Decodable {
    /// The reason for missing results.
    let errorMessage: String?
    /// The rows; `nil` only with an ``errorMessage``.
    let results: LossyArray<Row>?

    private enum CodingKeys: String, CodingKey {
        case errorMessage, results
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errorMessage = try? container.decodeIfPresent(String.self, forKey: .errorMessage)
        let isError = errorMessage != nil && !container.contains(.results)
        results = isError ? nil : try container.decode(LossyArray<Row>.self, forKey: .results)
    }
}

/// A row of any kind.
///
/// Lookups by ID also return songs, developers, and more.
enum AppStoreRowDTO: Decodable, Sendable {
    /// An app.
    case app(AppDTO)
    /// Something else.
    case other

    private enum CodingKeys: String, CodingKey {
        case wrapperType, trackName
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let wrapperType = try container.decode(Lenient<String>.self, forKey: .wrapperType).wrappedValue
        guard wrapperType == nil || wrapperType == "software" else {
            self = .other
            return
        }
        let app = try AppDTO(from: decoder)
        guard app.name != nil else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no name")
            throw DecodingError.keyNotFound(CodingKeys.trackName, context)
        }
        self = .app(app)
    }
}

/// A row that has to be an app.
struct AppStoreAppRowDTO: Decodable, Sendable {
    let app: AppDTO

    private enum CodingKeys: String, CodingKey {
        case wrapperType
    }

    init(from decoder: any Decoder) throws {
        guard case .app(let app) = try AppStoreRowDTO(from: decoder) else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            throw DecodingError.dataCorruptedError(forKey: .wrapperType, in: container, debugDescription: "not an app")
        }
        self.app = app
    }
}
