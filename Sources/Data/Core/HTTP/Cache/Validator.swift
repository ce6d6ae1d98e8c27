import BrowseDomain
import Foundation

/// Identifies a version of a cached response, so that the server can confirm it.
struct Validator: Sendable {
    let key: CacheKey
    let variant: VaryKey
    let etag: String?
    let lastModified: String?
    let date: Date

    /// Whether the server can identify this version.
    var isUsable: Bool { etag != nil || lastModified != nil }

    /// Whether a cached response is this version.
    func identifies(_ response: CachedResponse, _ variant: VaryKey) -> Bool {
        variant == self.variant && response.headers["ETag"] == etag
            && response.headers["Last-Modified"] == lastModified
    }

    /// Whether a 304 confirms this version rather than another one (RFC 9111, section 4.3.4).
    func matches(_ confirmation: HTTPHeaders) -> Bool {
        if let other = confirmation["ETag"] { return etag.map(Self.opaque) == Self.opaque(other) }
        guard etag == nil, let other = confirmation["Last-Modified"] else { return true }
        return other == lastModified
    }

    /// The tag without `W/`, which a weak comparison ignores (RFC 9110, section 8.8.3.2).
    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }
}

extension Validator {
    init(_ key: CacheKey, _ variant: VaryKey, _ response: CachedResponse) {
        self.init(
            key: key,
            variant: variant,
            etag: response.headers["ETag"],
            lastModified: response.headers["Last-Modified"],
            date: response.date
        )
    }
}
