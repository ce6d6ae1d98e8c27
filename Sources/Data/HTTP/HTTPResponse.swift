public import BrowseDomain
public import Foundation
import Synchronization

/// A complete response.
public struct HTTPResponse: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
        var wireBytes: Int?
        var url: URL
        var provenance: Provenance
        var isAnonymous = false
        var cacheCommit: CacheCommit?
        var decoding: SharedDecoding?
    }

    private var fields: Boxed<Fields>

    /// The status code, 100 to 599.
    public var status: Int {
        get { fields.value.status }
        set { fields.value.status = newValue }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        set { fields.value.headers = newValue }
    }
    /// The body, decompressed; empty when there was none.
    public var body: Data {
        get { fields.value.body }
        set { fields.value.body = newValue }
    }
    /// The size of the body in bytes as it was transferred, before decompression; `nil` if the transport doesn't know it.
    public var wireBytes: Int? {
        get { fields.value.wireBytes }
        set { fields.value.wireBytes = newValue }
    }
    /// The address that answered, which differs from the request's after a redirect.
    public var url: URL {
        get { fields.value.url }
        set { fields.value.url = newValue }
    }
    /// Where the response came from.
    public var provenance: Provenance {
        get { fields.value.provenance }
        set { fields.value.provenance = newValue }
    }
    /// Whether this is a 401 because nobody is signed in, so that the request carried no token.
    var isAnonymous: Bool {
        get { fields.value.isAnonymous }
        set { fields.value.isAnonymous = newValue }
    }
    /// Stores or discards it once it is decoded; `nil` when it isn't cached.
    var cacheCommit: CacheCommit? {
        get { fields.value.cacheCommit }
        set { fields.value.cacheCommit = newValue }
    }
    /// Decodes it once for all who share it; `nil` when nobody does.
    var decoding: SharedDecoding? {
        get { fields.value.decoding }
        set { fields.value.decoding = newValue }
    }

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL, provenance: Provenance = .fresh)
    {
        fields = Boxed(Fields(status: status, headers: headers, body: body, url: url, provenance: provenance))
    }
}

/// Decides once, for all callers that share a response, whether it is cached.
///
/// A cache stands before the response is decoded, so it leaves the decision to the client: only a response that could be
/// decoded is stored, and one that can't be decoded any more, as after an update, is discarded.
final class CacheCommit: Hashable, Sendable {
    private let store: (@Sendable () async -> Void)?
    private let remove: @Sendable () -> Void
    private let isDecided = Mutex(false)

    /// - Parameters:
    ///   - commit: Stores the response; `nil` when it is stored already.
    ///   - discard: Removes what is stored under its key.
    init(commit: (@Sendable () async -> Void)? = nil, discard: @escaping @Sendable () -> Void) {
        store = commit
        remove = discard
    }

    /// Stores the response, which could be decoded, unless something in it must not be stored.
    func commit(unless isForbidden: () -> Bool = { false }) async {
        guard decide() else { return }
        if isForbidden() { remove() } else { await store?() }
    }

    /// Discards the response, which couldn't be decoded.
    func discard() {
        if decide() { remove() }
    }

    private func decide() -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }

    static func == (one: CacheCommit, other: CacheCommit) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
