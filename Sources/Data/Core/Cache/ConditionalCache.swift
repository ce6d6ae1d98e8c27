package import BrowseDomain
import Synchronization

/// Revalidates cached responses (RFC 9110, section 13), and responds from the cache when offline.
///
/// The request's ``HTTPClient/Request/options`` select the source. A 304 becomes the cached
/// response with its body and header fields, such as `Link`. Responses are stored after they have
/// been decoded; see ``ResponseCache``.
///
/// A request with credentials and without an account neither reads nor writes the cache, since it
/// could be anybody's.
package struct ConditionalCache: HTTPMiddleware {
    private let cache: ResponseCache
    /// The fields that the service adds to every request; credentials among them belong to no
    /// account.
    private let serviceHeaders: HTTPHeaders
    private let credentialNames: Set<String>
    private let serviceKey: String

    /// - Parameter credentialNames: The lowercase names of the service's fields with credentials.
    package init(_ cache: ResponseCache, serviceHeaders: HTTPHeaders = [:], credentialNames: Set<String> = []) {
        self.cache = cache
        self.serviceHeaders = serviceHeaders
        self.credentialNames = credentialNames
        serviceKey = ResponseCache.Key.serviceKey(of: serviceHeaders)
    }

    /// Responds from the cache, or forwards the request, conditionally if a response is cached.
    ///
    /// - Throws: `.unreachable(.notCached)` if only the cache is allowed and has no response;
    ///   otherwise, the errors of `next`.
    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        // A middleware can have replaced the header fields.
        let request = modified(request) { $0.headers.declareCredentials(credentialNames) }
        guard request.isRead else {
            // Before, in case the process ends.
            await cache.noteChange(by: request)
            let result = await Result.of { () throws(BrowseError) in try await next(request) }
            await cache.noteChange(by: request)
            return try result.get()
        }
        guard !request.headers.forbidsStoring, !request.isConditional, !isOfUnknownAccount(request),
            let key = ResponseCache.Key(request, of: serviceKey)
        else {
            return try await next(request)
        }
        let source = request.options.source
        // Others can do without a disk that hangs.
        let isNeeded = source == .cacheOnly && !request.options.isPreview
        let entry = await cache.entry(
            for: key,
            creates: source != .cacheOnly,
            accepted: request.options.accepted,
            within: isNeeded ? request.limits.duration : nil
        )
        let cached = entry?.response.flatMap { isFound($0.headers, byKeyOf: request) ? $0 : nil }
        guard source != .cacheOnly else {
            if let cached, let entry { return answer(cached, in: entry, .stale(since: cached.date)) }
            ExchangeTrace.note(.cache(.missed))
            throw Task.isCancelled ? .cancelled : .unreachable(.notCached, request.info)
        }
        guard let entry else {
            ExchangeTrace.note(.cache(.missed))
            return try await next(request)
        }
        if let cached, entry.isYoung { return answer(cached, in: entry, .stale(since: cached.date)) }
        do throws(BrowseError) {
            let response = try await fetch(request, cached, in: entry, next)
            let failure = BrowseError(status: response.status, info: request.info)
            guard source == .networkElseCache, failure.isOffline else { return response }
            return await offline(cached, in: entry) ?? response
        } catch {
            guard source == .networkElseCache, error.isOffline,
                let response = await offline(cached, in: entry)
            else { throw error }
            return response
        }
    }

    /// Whether a middleware or endpoint added credentials without an account.
    private func isOfUnknownAccount(_ request: HTTPClient.Request) -> Bool {
        guard request.account?.isEmpty ?? true else { return false }
        guard !request.isAuthorized else { return true }
        let headers = request.headers
        return headers.fields.contains { name, value in headers.isCredential(name) && serviceHeaders[name] != value }
    }

    /// Returns a cached response, unless the account's were removed since it was read.
    private func offline(_ cached: CachedResponse?, in entry: ResponseCache.Entry) async -> HTTPClient.Response? {
        guard let cached, await entry.isCurrent else {
            ExchangeTrace.note(.cache(.missed))
            return nil
        }
        return answer(cached, in: entry, .offline(since: cached.date))
    }

    private func answer(
        _ cached: CachedResponse,
        in entry: ResponseCache.Entry,
        _ provenance: Provenance,
        confirmedBy confirmation: HTTPHeaders = [:]
    ) -> HTTPClient.Response {
        var response = cached.response(provenance, confirmedBy: confirmation)
        ExchangeTrace.note(.cache(.answered(response.provenance)))
        // The response is already stored, but it is discarded if it can't be decoded.
        response.cacheCommit = Commit { if $0 == .discard { await discard(entry) } }
        return response
    }

    /// Sends the request, conditionally if a response is cached, which is returned after a 304.
    private func fetch(
        _ request: HTTPClient.Request,
        _ cached: CachedResponse?,
        in entry: ResponseCache.Entry,
        _ next: Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard let cached, cached.validators.condition != nil else {
            ExchangeTrace.note(.cache(.missed))
            return await committable(try await next(request), to: request, in: entry)
        }
        ExchangeTrace.note(.cache(.revalidating(since: cached.date)))
        let (response, isConfirmed) = try await cached.validators.send(request) {
            ExchangeTrace.note(.cache(.discarded))
        } by: { (request) async throws(BrowseError) in
            try await next(request)
        }
        guard isConfirmed else { return await committable(response, to: request, in: entry) }
        guard let confirmed = await entry.confirm(cached, by: response.headers) else {
            // The account's responses were removed. The repeated request is unconditional.
            ExchangeTrace.note(.cache(.discarded))
            return await committable(try await next(request), to: request, in: entry)
        }
        let revalidated = answer(confirmed, in: entry, .revalidated, confirmedBy: response.headers)
        // The confirmation can forbid storing, or vary the response by other fields.
        if !isStorable(revalidated, to: request) { await entry.remove() }
        return revalidated
    }

    /// Returns a response that the client can store after decoding it.
    ///
    /// The cached one is removed if it can't be, or if the client finds that the resource doesn't
    /// exist, and not by what could be a proxy's.
    private func committable(
        _ response: HTTPClient.Response,
        to request: HTTPClient.Request,
        in entry: ResponseCache.Entry
    ) async -> HTTPClient.Response {
        let isStored = response.status == 200 && isStorable(response, to: request)
        var committable = response
        committable.cacheCommit = Commit { decision in
            // A failure says nothing about the cached one, unless the client discards it.
            guard case .store(let isRevalidated) = decision else { return await entry.remove() }
            guard isStored else {
                if response.status == 200 { await discard(entry) }
                return
            }
            var response = response
            if !isRevalidated {
                for name in ["ETag", "Last-Modified"] { response.headers[name] = nil }
            }
            if let bytes = await entry.store(response) { ExchangeTrace.note(.cache(.stored(bytes: bytes))) }
        }
        return committable
    }

    private func isStorable(_ response: HTTPClient.Response, to request: HTTPClient.Request) -> Bool {
        !response.headers.forbidsStoring && Origin(response.url) == Origin(request.url)
            && isFound(response.headers, byKeyOf: request)
    }

    /// Whether a response varies only by fields of its key (RFC 9111, section 4.1).
    ///
    /// Fields that all requests have in common don't count, nor do credentials: the key contains
    /// the account instead.
    private func isFound(_ response: HTTPHeaders, byKeyOf request: HTTPClient.Request) -> Bool {
        response.list("Vary").map(String.init).allSatisfy { name in
            ResponseCache.Key.fields.contains(name) || request.headers.isCredential(name)
                || (name != "*" && request.headers[name] == serviceHeaders[name])
        }
    }

    private func discard(_ entry: ResponseCache.Entry) async {
        await entry.remove()
        ExchangeTrace.note(.cache(.discarded))
    }
}

extension HTTPClient.Request {
    /// Whether the caller has conditions of its own, and therefore its own copy.
    fileprivate var isConditional: Bool {
        let fields = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range"]
        return fields.contains { headers[$0] != nil }
    }
}

extension BrowseError {
    /// Whether the server wasn't reached, or fails, so that a cached response can be used.
    fileprivate var isOffline: Bool {
        switch self {
        case .unreachable, .timedOut, .serverFailure: true
        default: false
        }
    }
}

extension ConditionalCache {
    /// Stores or discards a response, once for all callers that share it.
    ///
    /// A response is stored only if it can be decoded, and a cached one that no longer can, such as
    /// after an app update, is discarded. The client decides, because the cache doesn't decode.
    final class Commit: Hashable, Sendable {
        enum Decision: Hashable {
            /// Store the response, with or without the fields for a condition.
            case store(isRevalidated: Bool)
            /// Discard the response.
            case discard
        }

        private let decision: Mutex<(@Sendable (Decision) async -> Void)?>

        /// - Parameter decision: Stores or discards the response.
        init(_ decision: @escaping @Sendable (Decision) async -> Void) {
            self.decision = Mutex(decision)
        }

        /// Stores the decoded response.
        func commit(isRevalidated: Bool = true) async { await decide(.store(isRevalidated: isRevalidated)) }

        /// Discards a response that couldn't be decoded.
        func discard() async { await decide(.discard) }

        private func decide(_ result: Decision) async { await decision.withLock { $0.take() }?(result) }

        static func == (one: Commit, other: Commit) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}
