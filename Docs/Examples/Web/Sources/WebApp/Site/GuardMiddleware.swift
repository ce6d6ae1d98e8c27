import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import WebSupport

/// Refuses requests of other sites and those beyond limits, and adds security headers. Logs and measures all.
struct GuardMiddleware: RouterMiddleware {
    private let site: Site
    private let originPolicy: OriginPolicy
    private let headers: SecurityHeaders
    private let limit: TokenBuckets<ClientAddress>

    init(site: Site) {
        self.site = site
        let configuration = site.configuration
        originPolicy = OriginPolicy(hosts: configuration.hosts)
        headers = SecurityHeaders(
            formTargets: configuration.signInOrigins,
            isOnHTTPS: configuration.publicURL?.scheme == "https"
        )
        limit = TokenBuckets(configuration.limits.requestsPerAddress, clock: configuration.clock)
    }

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        // Without the query, which has what people search for, and codes to sign in with.
        let route =
            context.endpointPath == "/**" ? PageAddress.pattern(of: request.uri.path) : context.endpointPath ?? ""
        var response: Response
        do {
            response = try await respond(to: request, context, next)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch is HTTPParserError {
            response = Response(status: .badRequest)
        } catch {
            context.logger.error("\(request.method) \(route): \(error)")
            response = Response(status: .internalServerError)
        }
        headers.apply(to: &response.headers)
        let time = start.duration(to: .now)
        site.metrics.count(status: response.status.code, after: time)
        let milliseconds = (time / .milliseconds(1)).formatted(.number.precision(.fractionLength(1)).grouping(.never))
        context.logger.info("\(request.method) \(route) \(response.status.code) \(milliseconds) ms")
        return response
    }

    private func respond(
        to request: Request,
        _ context: SiteContext,
        _ next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        // The first field is the request's authority.
        guard !request.headers.contains(.host) else { return Response(status: .badRequest) }
        var context = context
        let proxies = site.configuration.proxies
        context.client = ClientAddress(
            peer: context.peer,
            forwarded: request.headers[values: .xForwardedFor],
            proxies: proxies
        )
        // Load balancers use addresses instead of the name.
        if !["/health", "/ready"].contains(request.uri.path) {
            let origin = site.services.origin
            do throws(OriginPolicy.Refusal) {
                let host = try originPolicy.check(request.head, origin: origin.origin)
                // Cookies belong to a name, so pages have one. A proxy may hide the name.
                if let peer = context.peer, !proxies.contains(peer), [.get, .head].contains(request.method),
                    host != origin.hostInAuthority
                {
                    return .redirect(to: origin.origin + request.uri.string, type: .temporary)
                }
            } catch {
                return Response(status: error == .unknownHost ? .misdirectedRequest : .forbidden)
            }
        }
        // Before the body, which a client could announce and never send.
        if let text = request.headers[.contentLength],
            Int(text).map({ $0 > site.configuration.limits.formBytes }) ?? true
        {
            return Response(status: .contentTooLarge)
        }
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
    static let host = parsed("Host")
    static let xForwardedFor = parsed("X-Forwarded-For")
}
