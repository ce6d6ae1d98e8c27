public import BrowseDomain
public import Foundation
import Synchronization

/// A complete HTTP response.
public struct HTTPResponse: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
        var wireBytes: Int?
        var version: String?
        var url: URL
        var provenance: Provenance
        var hadNoCredentials = false
        var hasConfiguredToken = false
        var cacheCommit: CacheCommit?
        var gateReceipt: RateLimitReceipt?
    }

    private var fields: Boxed<Fields>

    /// The status code.
    public var status: Int {
        get { fields.value.status }
        set { fields.update { $0.status = newValue } }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        set { fields.update { $0.headers = newValue } }
    }
    /// The decompressed body; empty if there was none.
    public var body: Data {
        get { fields.value.body }
        set { fields.update { $0.body = newValue } }
    }
    /// The transferred size of the body in bytes, before decompression; `nil` if unknown.
    public var wireBytes: Int? {
        get { fields.value.wireBytes }
        set { fields.update { $0.wireBytes = newValue } }
    }
    /// The version of HTTP that was used, such as `HTTP/2`; `nil` if unknown.
    public var version: String? {
        get { fields.value.version }
        set { fields.update { $0.version = newValue } }
    }
    /// The URL that responded; after a redirect, it differs from the request's.
    public var url: URL {
        get { fields.value.url }
        set { fields.update { $0.url = newValue } }
    }
    /// Whether the response is fresh, revalidated, or cached.
    public var provenance: Provenance {
        get { fields.value.provenance }
        set { fields.update { $0.provenance = newValue } }
    }
    /// Whether this is a 401 to a request without a token.
    var hadNoCredentials: Bool {
        get { fields.value.hadNoCredentials }
        set { fields.update { $0.hadNoCredentials = newValue } }
    }
    /// Whether this is a 401 to a request with the configuration's token.
    var hasConfiguredToken: Bool {
        get { fields.value.hasConfiguredToken }
        set { fields.update { $0.hasConfiguredToken = newValue } }
    }
    /// Stores or discards the response after decoding; `nil` if it can't be cached.
    var cacheCommit: CacheCommit? {
        get { fields.value.cacheCommit }
        set { fields.update { $0.cacheCommit = newValue } }
    }
    /// The request of a response without a rate-limit bucket that passed a gate.
    var gateReceipt: RateLimitReceipt? {
        get { fields.value.gateReceipt }
        set { fields.update { $0.gateReceipt = newValue } }
    }

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL, provenance: Provenance = .fresh)
    {
        fields = Boxed(Fields(status: status, headers: headers, body: body, url: url, provenance: provenance))
    }
}

/// Stores or discards a response, once for all callers that share it.
///
/// A response is stored only if it can be decoded, and a cached one that no longer can, such as after an app update, is
/// discarded. The client decides, because the cache doesn't decode.
final class CacheCommit: Hashable, Sendable {
    private let store: (@Sendable () async -> Void)?
    private let remove: @Sendable () -> Void
    private let isDecided = Mutex(false)

    /// - Parameter commit: Stores the response; `nil` if it is already stored.
    init(commit: (@Sendable () async -> Void)? = nil, discard: @escaping @Sendable () -> Void) {
        store = commit
        remove = discard
    }

    /// Stores the decoded response, or discards it if it contains something that must not be stored.
    func commit(unless isForbidden: () -> Bool = { false }) async {
        guard decide() else { return }
        if isForbidden() { remove() } else { await store?() }
    }

    /// Discards a response that couldn't be decoded.
    func discard() { if decide() { remove() } }

    private func decide() -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }

    static func == (one: CacheCommit, other: CacheCommit) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
