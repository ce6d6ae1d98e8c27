public import BrowseDomain
public import Foundation

/// An event of a request, delivered to every ``HTTPObserver``.
///
/// Header fields and query items are masked unless they are listed as harmless, also by
/// ``HTTPClient/Service/shownHeaders`` and ``HTTPClient/Service/shownQueryItems``; so are long
/// words of servers. Bodies are omitted.
public struct HTTPEvent: Sendable {
    /// The identifier of the exchange, unique in the process.
    public let exchange: Int
    /// The endpoint's name, without parameters.
    public let endpoint: String
    /// The time of the event.
    public let date: Date
    /// The kind of the event, with its details.
    public let kind: Kind

    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The exchange began; always its first event.
        case began
        /// The exchange shares the response of an equal request in flight.
        ///
        /// The events of sending it belong to the exchange that started it, even if that exchange's
        /// caller has left.
        case joined
        /// The cache was read or changed.
        case cache(CacheDecision)
        /// The request waits, since as many requests as allowed are in flight.
        case waiting
        /// The request was sent, possibly again.
        case sent(Request)
        /// A response was received.
        case received(Response)
        /// The transport failed without a response.
        case failed(BrowseError)
        /// The request will be sent again, with the number of the attempt and its delay.
        case retrying(attempt: Int, after: Duration)
        /// The caller received a value with a provenance, or an error, or left.
        ///
        /// It is the last event, unless other exchanges share the request.
        case ended(Result<Provenance, BrowseError>)
    }

    /// A result or change of the cache.
    public enum CacheDecision: Hashable, Sendable {
        /// No cached response can be used.
        case missed
        /// The response cached at a time is being revalidated.
        case revalidating(since: Date)
        /// The cached response is used.
        case answered(Provenance)
        /// A response was stored, with its size in bytes.
        case stored(bytes: Int)
        /// A cached response that can't be used, or doesn't exist anymore, was discarded.
        case discarded
    }

    /// A request as sent over the network, with `***` in place of all that isn't listed.
    public struct Request: Hashable, Sendable {
        /// The method in uppercase, such as `GET`.
        public var method: String
        /// The URL.
        public var url: String
        /// The header fields.
        public var headers: HTTPHeaders
        /// The size of the body in bytes; 0 if there is none.
        public var bodyBytes: Int
    }

    /// A response as received over the network, with `***` in place of all that isn't listed.
    public struct Response: Hashable, Sendable {
        /// The status code.
        public var status: Int
        /// The URL that responded.
        public var url: String
        /// The header fields.
        public var headers: HTTPHeaders
        /// The size of the body in bytes, after decompression.
        public var bodyBytes: Int
        /// The transferred size of the body in bytes, before decompression; `nil` if unknown.
        public var wireBytes: Int?
    }
}

extension HTTPEvent: CustomStringConvertible {
    /// The event in one line.
    public var description: String {
        switch kind {
        case .began: endpoint
        case .joined: "shares an equal request in flight"
        case .cache(.missed): "cache: miss"
        case .cache(.revalidating(let date)): "cache: revalidates the response of \(date.formatted(.iso8601))"
        case .cache(.answered(let provenance)): "cache: hit, \(provenance)"
        case .cache(.stored(let bytes)): "cache: stored \(bytes) bytes"
        case .cache(.discarded): "cache: discarded a response"
        case .waiting: "waits for a free slot"
        case .sent(let request): "→ \(request.method) \(request.url)"
        case .received(let response): "← \(response.status), \(response.bodyBytes) bytes"
        case .failed(let error): "← \(error)"
        case .retrying(let attempt, let wait):
            "attempt \(attempt) follows after \(Int64((wait / .milliseconds(1)).rounded())) ms"
        case .ended(.success(let provenance)): "done, \(provenance)"
        case .ended(.failure(.unreachable(.notCached, _))): "done, not cached"
        case .ended(.failure(let error)): "failed: \(error)"
        }
    }
}
