public import BrowseDomain
import Foundation

/// Answers from what is kept, and asks the server only whether that is still the same (RFC 9110, section 13).
///
/// Where a reply may come from is said by ``HTTPRequest/options``. A 304 is answered with the body and the header fields
/// that were kept, `Link` among them. A reply is kept when its reader could read it: see ``ResponseCache``.
public struct ConditionalCache: HTTPMiddleware {
    private let cache: ResponseCache

    /// Creates the middleware.
    ///
    /// - Parameter cache: Where replies are kept; several clients may share one.
    public init(_ cache: ResponseCache) {
        self.cache = cache
    }

    /// Answers a read from what is kept, or hands it on with the question whether that is still the same.
    ///
    /// - Throws: `.unreachable(.notKept)` when only what is kept was to be looked at, and there is nothing.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard let key = CacheKey(request), request.mayBeKept else { return try await next(request) }
        guard request.options.source != .kept else {
            guard let reply = await kept(for: key, request, { .stale(since: $0) }) else {
                throw .unreachable(.notKept, request.info)
            }
            return reply
        }
        do throws(BrowseError) {
            let response = try await fetch(request, key, next)
            guard request.options.source == .serverOrKept, (500..<600).contains(response.status) else {
                return response
            }
            return await kept(for: key, request, { .offline(since: $0) }) ?? response
        } catch {
            guard request.options.source == .serverOrKept, error.meansOffline,
                let reply = await kept(for: key, request, { .offline(since: $0) })
            else { throw error }
            return reply
        }
    }

    /// What is kept for a request, as an answer.
    private func kept(
        for key: CacheKey,
        _ request: HTTPRequest,
        _ provenance: (Date) -> Provenance
    ) async -> HTTPResponse? {
        guard let reply = await cache.reply(for: key, request) else {
            ExchangeTrace.note(.cache(.missed))
            return nil
        }
        var response = reply.response(provenance(reply.date))
        ExchangeTrace.note(.cache(.answered(response.provenance)))
        // Nothing is to be kept; but it goes when nobody can read it any more.
        response.upkeep = CacheCommit {
        } drop: {
            await drop(key)
        }
        return response
    }

    /// Asks the server, for changes only when something is kept.
    private func fetch(
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let question = await cache.question(for: key, request, ignoresKept: request.ignoresKept)
        let generation = question.generation
        guard let known = question.known else {
            ExchangeTrace.note(.cache(.missed))
            return await entrusted(try await next(request), request, key, generation)
        }
        ExchangeTrace.note(.cache(.asked(since: known.date)))
        var conditional = request
        conditional.headers["If-None-Match"] = known.etag
        if known.etag == nil { conditional.headers["If-Modified-Since"] = known.lastModified }
        let result = await Result.of { [conditional] () throws(BrowseError) in try await next(conditional) }
        var confirmation: HTTPHeaders?
        if case .success(let response) = result, response.status == 304 { confirmation = response.headers }
        let confirmed = await cache.end(known, by: confirmation)
        let response = try result.get()
        guard response.status == 304 else { return await entrusted(response, request, key, generation) }
        guard let confirmed else {
            // Gone, damaged or another by now.
            ExchangeTrace.note(.cache(.dropped))
            return await entrusted(try await next(request), request, key, generation)
        }
        var answer = confirmed.response(.revalidated, confirmedBy: response.headers)
        ExchangeTrace.note(.cache(.answered(.revalidated)))
        answer.upkeep = CacheCommit {
        } drop: {
            await drop(key)
        }
        return answer
    }

    /// A reply with the means to keep it, or to forget what was kept in its place.
    private func entrusted(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ generation: Int
    ) async -> HTTPResponse {
        guard response.status == 200 else {
            // What is gone is not shown any more.
            if [404, 410].contains(response.status) { await cache.remove(key) }
            return response
        }
        let isAllowed = !response.headers.list("Cache-Control").contains { $0.hasPrefix("no-store") }
        let variant = VaryKey(of: request, varyingBy: response.headers)
        guard isAllowed, let variant, Origin(response.url) == Origin(request.url) else {
            await cache.remove(key)
            return response
        }
        var entrusted = response
        entrusted.upkeep = CacheCommit { [cache] in
            let bytes = await cache.keep(response, under: key, variant, generation: generation)
            if let bytes { ExchangeTrace.note(.cache(.kept(bytes: bytes))) }
        } drop: {
            await drop(key)
        }
        return entrusted
    }

    private func drop(_ key: CacheKey) async {
        await cache.remove(key)
        ExchangeTrace.note(.cache(.dropped))
    }
}

extension HTTPRequest {
    /// Whether its reply may be kept: not when whoever asks does not want that (RFC 9111, section 5.2.1.5), or has a condition
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
        case .cancelled, .rateLimited, .unauthorized, .forbidden, .notFound, .rejected, .serverFailure, .unusableReply,
            .refused, .storageFailed, .signInFailed:
            false
        }
    }
}
