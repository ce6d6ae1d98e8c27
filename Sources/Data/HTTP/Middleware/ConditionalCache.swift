public import BrowseDomain
import Foundation

/// Answers from what is kept, and asks the server only whether that is still the same (RFC 9110, section 13).
///
/// Where a response may come from is said by ``HTTPRequest/options``. A 304 is answered with the body and the header fields
/// of the cached response, `Link` among them. A response is cached once it could be decoded: see ``ResponseCache``.
public struct ConditionalCache: HTTPMiddleware {
    private let cache: ResponseCache

    /// Creates the middleware.
    ///
    /// - Parameter cache: Where responses are kept; several clients may share one.
    public init(_ cache: ResponseCache) {
        self.cache = cache
    }

    /// Answers a read from the cache, or hands it on with the question whether what is cached is still the same.
    ///
    /// All waits for the cache together are at most 50 ms; after that, the request goes on as if nothing were cached.
    ///
    /// - Throws: `.unreachable(.notCached)` when only the cache was to be looked at, and has nothing.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard let key = key(for: request) else { return try await next(request) }
        let allowance = CacheAllowance()
        guard request.options.source != .cacheOnly else {
            return try await cachedOnly(for: key, request, within: allowance)
        }
        do throws(BrowseError) {
            let response = try await fetch(request, key, allowance, next)
            guard request.options.source == .networkElseCache, (500..<600).contains(response.status) else {
                return response
            }
            return await cached(for: key, request, within: allowance, { .offline(since: $0) }) ?? response
        } catch {
            return try await cached(for: key, request, within: allowance, after: error)
        }
    }

    // The functions that aren't inlined are called before or after a request is sent: their frames are gone while it waits.

    /// The cached response to a request that isn't to be sent.
    @inline(never)
    private func cachedOnly(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance
    ) async throws(BrowseError) -> HTTPResponse {
        guard let response = await cached(for: key, request, within: allowance, { .stale(since: $0) }) else {
            throw Task.isCancelled ? .cancelled : .unreachable(.notCached, request.info)
        }
        return response
    }

    /// The cached response to a request that failed.
    @inline(never)
    private func cached(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance,
        after error: BrowseError
    ) async throws(BrowseError) -> HTTPResponse {
        guard request.options.source == .networkElseCache, error.meansOffline,
            let response = await cached(for: key, request, within: allowance, { .offline(since: $0) })
        else { throw error }
        return response
    }

    @inline(never)
    private func key(for request: HTTPRequest) -> CacheKey? {
        request.mayBeKept ? CacheKey(request) : nil
    }

    /// The cached response to a request.
    @inline(never)
    private func cached(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance,
        _ provenance: (Date) -> Provenance
    ) async -> HTTPResponse? {
        guard let cached = await cache.response(for: key, request, within: allowance) else {
            ExchangeTrace.note(.cache(.missed))
            return nil
        }
        var response = cached.response(provenance(cached.date))
        ExchangeTrace.note(.cache(.answered(response.provenance)))
        // It is stored already; but it goes when it can't be decoded any more.
        response.cacheCommit = CacheCommit(discard: { discard(key) })
        return response
    }

    /// Asks the server, for changes only when something is kept.
    private func fetch(
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ allowance: CacheAllowance,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let (validator, generation) = await validator(for: key, request, within: allowance)
        guard let validator else {
            ExchangeTrace.note(.cache(.missed))
            return entrusted(try await next(request), request, key, generation, allowance)
        }
        return try await revalidate(validator.value, request, key, generation, allowance, next)
    }

    @inline(never)
    private func validator(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance
    ) async -> (validator: Boxed<Validator>?, generation: Int) {
        let revalidation = await cache.beginRevalidation(
            for: key,
            request,
            ignoresCache: request.ignoresCache,
            within: allowance
        )
        return (revalidation.validator.map(Boxed.init), revalidation.generation)
    }

    /// Asks the server whether what is cached is still the same.
    @inline(never)
    private func revalidate(
        _ validator: Validator,
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ generation: Int,
        _ allowance: CacheAllowance,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        ExchangeTrace.note(.cache(.revalidating(since: validator.date)))
        var conditional = request
        conditional.headers["If-None-Match"] = validator.etag
        if validator.etag == nil { conditional.headers["If-Modified-Since"] = validator.lastModified }
        let result = await Result.of { [conditional] () throws(BrowseError) in try await next(conditional) }
        var confirmation: HTTPHeaders?
        if case .success(let response) = result, response.status == 304 { confirmation = response.headers }
        let confirmed = await cache.finishRevalidation(validator, by: confirmation, within: allowance)
        let response = try result.get()
        guard response.status == 304 else { return entrusted(response, request, key, generation, allowance) }
        guard let confirmed else {
            // Gone, damaged, or another by now; or the cache doesn't answer.
            ExchangeTrace.note(.cache(.discarded))
            return entrusted(try await next(request), request, key, generation, allowance)
        }
        var answer = confirmed.response(.revalidated, confirmedBy: response.headers)
        ExchangeTrace.note(.cache(.answered(.revalidated)))
        answer.cacheCommit = CacheCommit(discard: { discard(key) })
        return answer
    }

    /// A response with the means to store it, or to discard what is stored in its place.
    @inline(never)
    private func entrusted(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ generation: Int,
        _ allowance: CacheAllowance
    ) -> HTTPResponse {
        guard response.status == 200 else {
            // What is gone is not shown any more.
            if [404, 410].contains(response.status) { cache.remove(key) }
            return response
        }
        let isAllowed = !response.headers.list("Cache-Control").contains { $0.hasPrefix("no-store") }
        let variant = VaryKey(of: request, varyingBy: response.headers)
        guard isAllowed, let variant, Origin(response.url) == Origin(request.url) else {
            cache.remove(key)
            return response
        }
        var entrusted = response
        entrusted.cacheCommit = CacheCommit { [cache] in
            let bytes = await cache.commit(
                response,
                under: key,
                variant,
                generation: generation,
                within: allowance
            )
            if let bytes { ExchangeTrace.note(.cache(.stored(bytes: bytes))) }
        } discard: {
            discard(key)
        }
        return entrusted
    }

    private func discard(_ key: CacheKey) {
        cache.remove(key)
        ExchangeTrace.note(.cache(.discarded))
    }
}

extension HTTPRequest {
    /// Whether its response may be kept: not when whoever asks does not want that (RFC 9111, section 5.2.1.5), or has a condition
    /// of their own, and so a copy of their own.
    fileprivate var mayBeKept: Bool {
        headers["Cache-Control"] != "no-store"
            && !["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
                .contains { headers[$0] != nil }
    }
}

extension BrowseError {
    /// Whether the server could not be asked, so that what was kept is better than nothing.
    fileprivate var meansOffline: Bool {
        switch self {
        case .unreachable, .timedOut: true
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .serverFailure,
            .unusableResponse,
            .refused, .storageFailed, .signInFailed:
            false
        }
    }
}
