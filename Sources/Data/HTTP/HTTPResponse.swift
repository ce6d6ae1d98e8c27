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
    /// How it is kept when it turns out to be of use, and dropped when not; `nil` when nothing keeps it.
    var upkeep: CacheCommit?
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

/// Decides once, for all who share a reply, whether it is kept.
///
/// A cache stands before anybody has read the reply, so it leaves the decision to the client: only what could be read is
/// kept, and what cannot be read any more, as after an update, goes.
final class CacheCommit: Hashable, Sendable {
    private let keeping: @Sendable () async -> Void
    private let dropping: @Sendable () async -> Void
    private let isDecided = Mutex(false)

    init(keep: @escaping @Sendable () async -> Void, drop: @escaping @Sendable () async -> Void) {
        keeping = keep
        dropping = drop
    }

    /// Stores the response, unless something in it must not be stored.
    func keep(unless isForbidden: () -> Bool = { false }) async {
        guard decide() else { return }
        if isForbidden() { await dropping() } else { await keeping() }
    }

    /// The reply is of no use.
    func drop() async {
        if decide() { await dropping() }
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
