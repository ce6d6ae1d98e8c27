package import BrowseDomain
import Foundation

/// Revalidates cached responses (RFC 9110, section 13), and responds from the cache when offline.
///
/// The request's ``HTTPRequest/options`` select the source. A 304 becomes the cached response with its body and header fields,
/// such as `Link`. Responses are stored after they have been decoded; see ``ResponseCache``.
///
/// A request with credentials and without an account neither reads nor writes the cache, since it could be anybody's.
package struct ConditionalCache: HTTPMiddleware {
    private let cache: ResponseCache
    /// The fields that the service adds to every request; credentials among them belong to no account.
    private let serviceHeaders: HTTPHeaders

    /// A request that the cache may answer.
    private struct Lookup: Sendable {
        let request: HTTPRequest
        let key: CacheKey
        let allowance = CacheAllowance()
    }

    package init(_ cache: ResponseCache, serviceHeaders: HTTPHeaders = [:]) {
        self.cache = cache
        self.serviceHeaders = serviceHeaders
    }

    /// Responds from the cache, or forwards the request, conditionally if a response is cached.
    ///
    /// All waits for the cache together take at most 50 ms; after that, the request is sent as if nothing were cached.
    ///
    /// - Throws: `.unreachable(.notCached)` if only the cache is allowed and has no response; otherwise, the errors of `next`.
    package func send(_ request: HTTPRequest, next: @escaping Next) async throws(BrowseError) -> HTTPResponse {
        // A middleware can have replaced the header fields.
        let request = request.declaringCredentials(serviceHeaders.declaredCredentials)
        guard request.isCacheable, !isOfUnknownAccount(request), let key = CacheKey(request) else {
            return try await next(request)
        }
        let lookup = Lookup(request: request, key: key)
        guard request.options.source != .cacheOnly else {
            if let response = await cached(lookup, { .stale(since: $0) }) { return response }
            throw Task.isCancelled ? .cancelled : .unreachable(.notCached, request.info)
        }
        do throws(BrowseError) {
            let response = try await fetch(lookup, next)
            guard request.options.source == .networkElseCache, (500..<600).contains(response.status) else {
                return response
            }
            return await cached(lookup) { .offline(since: $0) } ?? response
        } catch {
            guard request.options.source == .networkElseCache, error.isOffline,
                let response = await cached(lookup, { .offline(since: $0) })
            else { throw error }
            return response
        }
    }

    /// Whether a middleware or endpoint added credentials without an account.
    private func isOfUnknownAccount(_ request: HTTPRequest) -> Bool {
        guard request.account?.isEmpty ?? true else { return false }
        let headers = request.headers
        return headers.fields.contains { name, value in headers.isCredential(name) && serviceHeaders[name] != value }
    }

    private func cached(_ lookup: Lookup, _ provenance: (Date) -> Provenance) async -> HTTPResponse? {
        guard let cached = await cache.response(for: lookup.key, lookup.request, within: lookup.allowance) else {
            ExchangeTrace.note(.cache(.missed))
            return nil
        }
        var response = cached.response(provenance(cached.date))
        ExchangeTrace.note(.cache(.answered(response.provenance)))
        // The response is already stored, but it is discarded if it can't be decoded.
        response.cacheCommit = CacheCommit(discard: { discard(lookup.key) })
        return response
    }

    /// Sends the request, conditionally if a response is cached.
    private func fetch(_ lookup: Lookup, _ next: Next) async throws(BrowseError) -> HTTPResponse {
        let revalidation = await cache.beginRevalidation(
            for: lookup.key,
            lookup.request,
            ignoresCache: lookup.request.ignoresCache,
            within: lookup.allowance
        )
        guard let validator = revalidation.validator else {
            ExchangeTrace.note(.cache(.missed))
            return committable(try await next(lookup.request), to: lookup, revalidation.generation)
        }
        return try await revalidate(validator, lookup, revalidation.generation, next)
    }

    /// Sends a conditional request, and returns the cached response after a 304.
    private func revalidate(
        _ validator: Validator,
        _ lookup: Lookup,
        _ generation: Int,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        ExchangeTrace.note(.cache(.revalidating(since: validator.date)))
        let (request, key) = (lookup.request, lookup.key)
        var headers = request.headers
        headers["If-None-Match"] = validator.etag
        if validator.etag == nil { headers["If-Modified-Since"] = validator.lastModified }
        var conditional = request
        conditional.headers = headers
        let response = try await next(conditional)
        guard response.status == 304 else { return committable(response, to: lookup, generation) }
        // Another origin, after a redirect, can't confirm a response of this one.
        let isOfOrigin = Origin(response.url) == Origin(request.url)
        if !isOfOrigin { cache.remove(key) }
        guard isOfOrigin,
            let confirmed = await cache.finishRevalidation(validator, by: response.headers, within: lookup.allowance)
        else {
            // The cached response was removed, evicted, damaged, or replaced, or the cache didn't respond in time. The repeated
            // request is unconditional.
            ExchangeTrace.note(.cache(.discarded))
            return committable(try await next(request), to: lookup, generation)
        }
        var revalidated = confirmed.response(.revalidated, confirmedBy: response.headers)
        ExchangeTrace.note(.cache(.answered(.revalidated)))
        revalidated.cacheCommit = CacheCommit(discard: { discard(key) })
        // The confirmation can forbid storing, or vary the response by other fields.
        if variant(of: revalidated, to: request) != validator.variant { cache.remove(key) }
        return revalidated
    }

    /// Returns a response that the client can store, or removes the cached one if it must not be stored.
    private func committable(_ response: HTTPResponse, to lookup: Lookup, _ generation: Int) -> HTTPResponse {
        let key = lookup.key
        guard response.status == 200 else {
            // A deleted resource must not be shown again.
            if [404, 410].contains(response.status) { cache.remove(key) }
            return response
        }
        guard let variant = variant(of: response, to: lookup.request) else {
            cache.remove(key)
            return response
        }
        var committable = response
        committable.cacheCommit = CacheCommit { [cache] in
            let bytes = await cache.commit(
                response,
                under: key,
                variant,
                generation: generation,
                within: lookup.allowance
            )
            if let bytes { ExchangeTrace.note(.cache(.stored(bytes: bytes))) }
        } discard: {
            discard(key)
        }
        return committable
    }

    /// The variant under which a response can be stored; `nil` if it must not be stored.
    private func variant(of response: HTTPResponse, to request: HTTPRequest) -> VaryKey? {
        guard !response.headers.forbidsStoring, Origin(response.url) == Origin(request.url) else { return nil }
        return VaryKey(of: request, varyingBy: response.headers)
    }

    private func discard(_ key: CacheKey) {
        cache.remove(key)
        ExchangeTrace.note(.cache(.discarded))
    }
}

extension HTTPRequest {
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
        case .unreachable, .timedOut: true
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .serverFailure,
            .unusableResponse, .refused, .storageFailed, .signInFailed:
            false
        }
    }
}
