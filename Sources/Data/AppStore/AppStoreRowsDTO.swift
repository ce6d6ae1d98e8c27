import BrowseAppStoreDomain
@_spi(Services) import BrowseData

/// The envelope of all responses.
///
/// `resultCount` isn't reliable: recorded responses have 50 with 12 rows.
struct AppStoreRowsDTO: Decodable {
    /// The reason for missing results.
    let errorMessage: String?
    /// The rows; `nil` only with an ``errorMessage``.
    let results: LossyArray<Row>?

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        errorMessage = try? json.decodeIfPresent(String.self, forKey: "errorMessage")
        let isError = errorMessage != nil && (try? json.decodeNil(forKey: "results")) != false
        results = isError ? nil : try json.decode(LossyArray<Row>.self, forKey: "results")
    }

    /// A row of a response of the iTunes Search API.
    ///
    /// Apple documents all fields of an app as optional, but responses always have an ID and a
    /// name. Lookups by ID also return songs, developers, and more.
    struct Row: Decodable, Sendable {
        /// The app, in an unknown country; `nil` for something else.
        let app: AppStore.App?

        init(from decoder: any Decoder) throws {
            let json = try decoder.container(keyedBy: JSONKey.self)
            // Books, songs, and films can lack the type, but not the kind.
            let kind: String? = json["kind"]
            let isApp =
                json["wrapperType"].map { $0 == "software" } ?? kind.map { $0.hasSuffix("software") } ?? true
            app = isApp ? try AppStore.App(json) : nil
        }
    }
}
