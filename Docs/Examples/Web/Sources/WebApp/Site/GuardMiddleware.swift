import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import WebSupport

/// Refuses requests of other sites and those beyond the limits, and adds security headers.
struct GuardMiddleware: RouterMiddleware {
    private let originPolicy: OriginPolicy
    private let headers: SecurityHeaders
    private let limit: TokenBuckets<ClientAddress>
    private let isBehindProxy: Bool
    private let bodyLimit: Int
    private let metrics: Metrics

    init(site: Site) {
        let configuration = site.configuration
        originPolicy = OriginPolicy(hosts: configuration.hosts)
        headers = SecurityHeaders(formTargets: ["https://github.com"], isOnHTTPS: configuration.isOnHTTPS)
        limit = TokenBuckets(configuration.limits.requestsPerAddress, clock: configuration.clock)
        isBehindProxy = configuration.isBehindProxy
        bodyLimit = configuration.limits.formBytes
        metrics = site.metrics
    }

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await respond(to: request, context, next)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch {
            context.logger.error("\(request.method) \(request.uri.path): \(error)")
            response = Response(status: .internalServerError)
        }
        headers.apply(to: &response.headers)
        metrics.count(status: response.status.code)
        return response
    }

    private func respond(
        to request: Request,
        _ context: SiteContext,
        _ next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        do throws(OriginPolicy.Refusal) {
            try originPolicy.check(request.head)
        } catch {
            return Response(status: error == .unknownHost ? .misdirectedRequest : .forbidden)
        }
        // Before the body, which a client could announce and never send.
        if let text = request.headers[.contentLength], Int(text).map({ $0 > bodyLimit }) ?? true {
            return Response(status: .contentTooLarge)
        }
        let forwarded = isBehindProxy ? request.headers[values: .xForwardedFor] : []
        var context = context
        context.client = ClientAddress(peer: context.peer, forwarded: forwarded)
        if let wait = limit.take(context.client) { return .tooManyRequests(after: wait) }
        return try await next(request, context)
    }
}

extension Response {
    /// The response to a client beyond its limit.
    static func tooManyRequests(after wait: Duration) -> Response {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return Response(status: .tooManyRequests, headers: [.retryAfter: "\(seconds)"])
    }
}

extension HTTPField.Name {
    static let xForwardedFor = parsed("X-Forwarded-For")
}
