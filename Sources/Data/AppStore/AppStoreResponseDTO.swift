import BrowseData
import BrowseDomain

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
