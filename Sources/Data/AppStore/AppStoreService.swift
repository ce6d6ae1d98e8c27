import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// The App Store's public lookup, "iTunes Search API".
    ///
    /// - Parameters:
    ///   - baseURL: `https://itunes.apple.com`.
    ///   - userAgent: The name of the app.
    ///   - now: The current time, from which waits are counted.
    public static func appStore(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: baseURL,
            headers: ["Accept": "application/json, text/javascript", "User-Agent": userAgent],
            failure: { response, info in AppStoreFailure.error(for: response, info: info, now: now()) }
        )
    }
}

/// What the App Store means by a status other than success.
///
/// Apple documents a limit of about 20 calls a minute and no responses; the rest is what clients of it have met.
enum AppStoreFailure {
    static func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        var info = info
        let reply = try? AppStoreCoding.decoder.decode(AppStoreResponseDTO.self, from: response.body)
        info.serverMessage = reply?.errorMessage.map { Excerpt.masking($0, limit: 200) }
        let isAsked = response.headers["Retry-After"] != nil
        switch response.status {
        case 429: return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        // Too much is answered as a search that finds nothing is, or not at all.
        case 403 where response.isBlank || reply?.results?.isEmpty == true || isAsked:
            return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        // The service itself answers in JSON. A page says nothing about an app, not even a 404: it is from something on the
        // way, and passes.
        case 400..<500 where response.isPage: return .unusableResponse(.contentType(response.pageType), info)
        default: return BrowseError(status: response.status, info: info)
        }
    }
}

/// What all of the App Store's responses are read with.
enum AppStoreCoding {
    /// One decoder for the service: it is thread-safe, and making one costs more than a small response.
    static let decoder = JSONDecoder()
}

extension HTTPResponse {
    /// The envelope's rows.
    ///
    /// - Throws: ``UnusableResponse`` for a page in place of JSON, ``RefusedResponse`` when the service says what it did not
    ///   understand, or the decoder's error.
    func appStoreRows<Row: Decodable & Sendable>(_ type: Row.Type) throws -> LossyArray<Row> {
        guard !isBlank else { throw UnusableResponse(reason: .empty) }
        // A page may come under the content type that every response has.
        guard !isPage else { throw UnusableResponse(reason: .contentType(pageType)) }
        let reply = try json(AppStoreRowsDTO<Row>.self, using: AppStoreCoding.decoder, alsoAs: "text/javascript")
        if let results = reply.results { return results }
        let message = Excerpt.masking(reply.errorMessage ?? "", limit: 200)
        throw RefusedResponse { info in
            var info = info
            info.serverMessage = message
            return .rejected(info)
        }
    }

    /// Whether the body is a page for people, whatever its content type says; JSON does not begin so.
    fileprivate var isPage: Bool {
        mediaType == "text/html" || body.first { !Self.isSpace($0) } == UInt8(ascii: "<")
    }

    /// The content type of a page; `text/html` where the response says something else.
    fileprivate var pageType: String {
        let declared = mediaType == "text/html" ? headers["Content-Type"] : nil
        return Excerpt.masking(declared ?? "text/html", limit: 100)
    }

    /// Whether there is nothing but white space.
    fileprivate var isBlank: Bool { body.allSatisfy(Self.isSpace) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}
