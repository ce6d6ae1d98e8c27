package import BrowseDomain
import Foundation

/// Revalidates cached responses (RFC 9110, section 13), and responds from the cache when offline.
///
/// The request's ``HTTPClient/Request/options`` select the source. A 304 becomes the cached response with its body and header fields,
/// such as `Link`. Responses are stored after they have been decoded; see ``ResponseCache``.
///
/// A request with credentials and without an account neither reads nor writes the cache, since it could be anybody's.
package struct ConditionalCache: HTTPMiddleware {
    private let cache: ResponseCache
    /// The fields that the service adds to every request; credentials among them belong to no account.
    private let serviceHeaders: HTTPHeaders
    private let credentialNames: Set<String>
    private let serviceKey: String

    /// - Parameter credentialNames: The lowercase names of the service's fields with credentials.
    package init(_ cache: ResponseCache, serviceHeaders: HTTPHeaders = [:], credentialNames: Set<String> = []) {
        self.cache = cache
        self.serviceHeaders = serviceHeaders
        self.credentialNames = credentialNames
        serviceKey = CacheKey.serviceKey(of: serviceHeaders)
    }

    /// Responds from the cache, or forwards the request, conditionally if a response is cached.
    ///
    /// - Throws: `.unreachable(.notCached)` if only the cache is allowed and has no response; otherwise, the errors of `next`.
    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        // A middleware can have replaced the header fields.
        let request = request.declaringCredentials(credentialNames)
        guard request.isCacheable, !isOfUnknownAccount(request), let key = CacheKey(request, of: serviceKey)
        else {
            return try await next(request)
        }
        let source = request.options.source
        let entry = cache.entry(for: key, creates: source != .cacheOnly)
        let cached = entry?.response.flatMap { isFound($0.headers, byKeyOf: request) ? $0 : nil }
        guard source != .cacheOnly else {
            if let response = answer(cached, in: entry, { .stale(since: $0) }) { return response }
            throw Task.isCancelled ? .cancelled : .unreachable(.notCached, request.info)
        }
        guard let entry else {
            ExchangeTrace.note(.cache(.missed))
            return try await next(request)
        }
        do throws(BrowseError) {
            let response = try await fetch(request, cached, in: entry, next)
            guard source == .networkElseCache, (500..<600).contains(response.status) else { return response }
            return answer(cached, in: entry) { .offline(since: $0) } ?? response
        } catch {
            guard source == .networkElseCache, error.isOffline,
                let response = answer(cached, in: entry, { .offline(since: $0) })
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
    private func answer(
        _ cached: CachedResponse?,
        in entry: CacheEntry?,
        _ provenance: (Date) -> Provenance
    ) -> HTTPClient.Response? {
        guard let cached, let entry, entry.isCurrent else {
            ExchangeTrace.note(.cache(.missed))
            return nil
        }
        var response = cached.response(provenance(cached.date))
        ExchangeTrace.note(.cache(.answered(response.provenance)))
        // The response is already stored, but it is discarded if it can't be decoded.
        response.cacheCommit = CacheCommit { if $0 == .discard { discard(entry) } }
        return response
    }

    /// Sends the request, conditionally if a response is cached, which is returned after a 304.
    private func fetch(
        _ request: HTTPClient.Request,
        _ cached: CachedResponse?,
        in entry: CacheEntry,
        _ next: Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard let cached, let condition = cached.condition else {
            ExchangeTrace.note(.cache(.missed))
            return committable(try await next(request), to: request, in: entry)
        }
        ExchangeTrace.note(.cache(.revalidating(since: cached.date)))
        var conditional = request
        conditional.headers[condition.name] = condition.value
        let response = try await next(conditional)
        // A server or a proxy can refuse the condition, such as letters in an ETag, each time.
        if [400, 412, 431].contains(response.status) {
            return committable(try await next(request), to: request, in: entry)
        }
        guard response.status == 304 else { return committable(response, to: request, in: entry) }
        // Another origin, after a redirect, can't confirm a response of this one.
        let isOfOrigin = Origin(response.url) == Origin(request.url)
        if !isOfOrigin { entry.remove() }
        guard isOfOrigin, let confirmed = entry.confirm(cached, by: response.headers) else {
            // The 304 is for another version, or the account's responses were removed. The repeated request is unconditional.
            ExchangeTrace.note(.cache(.discarded))
            return committable(try await next(request), to: request, in: entry)
        }
        var revalidated = confirmed.response(.revalidated, confirmedBy: response.headers)
        ExchangeTrace.note(.cache(.answered(.revalidated)))
        revalidated.cacheCommit = CacheCommit { if $0 == .discard { discard(entry) } }
        // The confirmation can forbid storing, or vary the response by other fields.
        if !isStorable(revalidated, to: request) { entry.remove() }
        return revalidated
    }

    /// Returns a response that the client can store, or removes the cached one if it must not be stored.
    private func committable(
        _ response: HTTPClient.Response,
        to request: HTTPClient.Request,
        in entry: CacheEntry
    ) -> HTTPClient.Response {
        guard response.status == 200 else {
            // A deleted resource must not be shown again.
            if [404, 410].contains(response.status) { entry.remove() }
            return response
        }
        guard isStorable(response, to: request) else {
            entry.remove()
            return response
        }
        var committable = response
        committable.cacheCommit = CacheCommit { decision in
            guard case .store(let isRevalidated) = decision else { return discard(entry) }
            var response = response
            if !isRevalidated {
                for name in ["ETag", "Last-Modified"] { response.headers[name] = nil }
            }
            if let bytes = entry.store(response) { ExchangeTrace.note(.cache(.stored(bytes: bytes))) }
        }
        return committable
    }

    private func isStorable(_ response: HTTPClient.Response, to request: HTTPClient.Request) -> Bool {
        !response.headers.forbidsStoring && Origin(response.url) == Origin(request.url)
            && isFound(response.headers, byKeyOf: request)
    }

    /// Whether a response varies only by fields of its key (RFC 9111, section 4.1).
    ///
    /// Fields that all requests have in common don't count, nor do credentials: the key contains the account instead.
    private func isFound(_ response: HTTPHeaders, byKeyOf request: HTTPClient.Request) -> Bool {
        response.list("Vary").map(String.init).allSatisfy { name in
            CacheKey.fields.contains(name) || request.headers.isCredential(name)
                || (name != "*" && request.headers[name] == serviceHeaders[name])
        }
    }

    private func discard(_ entry: CacheEntry) {
        entry.remove()
        ExchangeTrace.note(.cache(.discarded))
    }
}

extension HTTPClient.Request {
    /// Whether the response can be cached.
    ///
    /// The caller can forbid it, and a caller with its own conditions has its own copy.
    fileprivate var isCacheable: Bool {
        !headers.forbidsStoring && !headers.fields.keys.contains(where: Self.conditions.contains)
    }

    private static let conditions: Set = [
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
    ]
}

extension BrowseError {
    /// Whether the server wasn't reached, so that a cached response can be used.
    fileprivate var isOffline: Bool {
        switch self {
        case .unreachable, .timedOut, .serverFailure: true
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused,
            .storageFailed, .signInFailed:
            false
        }
    }
}
