public import BrowseDomain
public import Foundation

/// Something that happened to a request, told to every ``HTTPObserver``.
///
/// Nothing in it is secret: credentials and what looks like them are masked before the event is made, and bodies are left
/// out. Waits can be told from the times of two events.
public struct HTTPEvent: Sendable {
    /// Which request; unique in a process.
    public let exchange: Int
    /// The endpoint's name, without parameters.
    public let endpoint: String
    /// When.
    public let date: Date
    /// What happened.
    public let kind: Kind

    /// What happened.
    public enum Kind: Sendable {
        /// Somebody asked; the first event of every exchange.
        case began
        /// An equal request was on its way, and its response will do for both; the exchange that began it tells of the rest, also
        /// when whoever began it has left by then.
        case joined
        /// What the cache had, or did.
        case cache(CacheDecision)
        /// It waits for something.
        case waiting(Wait)
        /// It goes over the wire; it may do so several times.
        case sent(Request)
        /// A response came over the wire.
        case received(Response)
        /// The wire brought no response.
        case failed(BrowseError)
        /// It will be tried again, for the given time and after a wait.
        case retrying(attempt: Int, after: Duration)
        /// Whoever asked has an answer, or has left; the last event of an exchange, but for what is done on for those who
        /// joined it.
        case ended(Outcome)
    }

    /// What a cache had, or did.
    public enum CacheDecision: Hashable, Sendable {
        /// Nothing is kept.
        case missed
        /// A response of this time is kept, and the server is asked whether it is still the same.
        case revalidating(since: Date)
        /// What is kept is the answer.
        case answered(Provenance)
        /// A response was kept; the number is its size in bytes.
        case stored(bytes: Int)
        /// What was kept is gone or cannot be used, and was dropped.
        case discarded
    }

    /// What a request waits for.
    public enum Wait: Hashable, Sendable {
        /// A budget; the date is when it is expected to be there, if that is known.
        case rateLimit(until: Date?)
        /// A turn on the wire.
        case slot
    }

    /// A request as it goes over the wire.
    public struct Request: Hashable, Sendable {
        /// The method.
        public var method: String
        /// The URL, with secrets masked.
        public var url: String
        /// The header fields, secrets masked.
        public var headers: HTTPHeaders
        /// The size of the body in bytes; 0 when there is none.
        public var bodyBytes: Int
    }

    /// A response as it came over the wire.
    public struct Response: Hashable, Sendable {
        /// The status.
        public var status: Int
        /// The URL that responded, with secrets masked.
        public var url: String
        /// The header fields, secrets masked.
        public var headers: HTTPHeaders
        /// The size of the body in bytes, after decompression.
        public var bodyBytes: Int
        /// The size of the body in bytes as it was transferred, before decompression; `nil` if the transport doesn't know it.
        public var wireBytes: Int?
    }

    /// How an exchange ended.
    public enum Outcome: Hashable, Sendable {
        /// With an answer from there.
        case succeeded(Provenance)
        /// With an error.
        case failed(BrowseError)
    }
}

/// Receives the events of requests.
///
/// Events are delivered one at a time, in order, on a queue of the observer's own, so an observer that is slow or blocks
/// delays neither requests nor other observers. Secrets are masked before an event is queued. While 1,000 events wait for
/// an observer, new ones are dropped, and ``didDrop(eventCount:)`` reports how many. Events may still be undelivered
/// when a request returns, except those of ``ExchangeLog``.
public protocol HTTPObserver: Sendable {
    /// Receives an event.
    func observe(_ event: HTTPEvent)
    /// Reports that events are missing between the last event and the next, because the observer fell behind.
    func didDrop(eventCount: Int)
}

extension HTTPObserver {
    /// Does nothing.
    public func didDrop(eventCount: Int) {}
}

extension HTTPEvent.Request {
    init(_ request: HTTPRequest, _ redactor: SecretRedactor) {
        method = request.method.rawValue
        url = redactor.url(request.url)
        headers = redactor.headers(request.headers)
        bodyBytes = request.body?.count ?? 0
    }
}

extension HTTPEvent.Response {
    init(_ response: HTTPResponse, _ redactor: SecretRedactor) {
        status = response.status
        url = redactor.url(response.url)
        headers = redactor.headers(response.headers)
        bodyBytes = response.body.count
        wireBytes = response.wireBytes
    }
}
