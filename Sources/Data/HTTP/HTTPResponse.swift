public import BrowseDomain
public import Foundation
import Synchronization

/// A complete reply.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, decompressed; empty when there was none.
    public var body: Data
    /// The size of the body in bytes as it was transferred, before decompression; `nil` if the transport doesn't know it.
    public var wireBytes: Int?
    /// The address that answered, which differs from the request's after a redirect.
    public var url: URL
    /// Where the reply came from.
    public var provenance: Provenance
    /// Whether this is a 401 because nobody is signed in, so that the request carried no token.
    var isAnonymous = false
    /// Stores or discards it once it is decoded; `nil` when it isn't cached.
    var cacheCommit: CacheCommit?
    /// Decodes it once for all who share it; `nil` when nobody does.
    var decoding: SharedDecoding?

    /// Creates a reply.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL, provenance: Provenance = .fresh)
    {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.provenance = provenance
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
