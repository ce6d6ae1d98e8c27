import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// The context of a request.
struct SiteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The visitor and the id in the request's cookie, once ``VisitorMiddleware`` has found them.
    var current: (visitor: Visitor, id: VisitorID)?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// The visitor and the id in the cookie of a request behind ``VisitorMiddleware``.
    var visit: (visitor: Visitor, id: VisitorID) {
        get throws {
            guard let current else { throw HTTPError(.internalServerError) }
            return current
        }
    }
}

/// Refuses requests of other sites and those that are too large, and adds security headers.
struct GuardMiddleware: RouterMiddleware {
    /// The addresses that forms are sent to.
    private static let formPaths: Set = ["/actions", "/login/oauth/authorize"]

    private let site: Site
    private let originPolicy: OriginPolicy
    private let headers: HTTPFields

    init(site: Site) {
        self.site = site
        originPolicy = OriginPolicy(hosts: site.configuration.hosts)
        headers = .security(isOnHTTPS: site.configuration.publicURL?.scheme == "https")
    }

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        // Hummingbird 2.28 sends the first eleven bytes as the last ten, and a part behind the end with a
        // negative length. A server may ignore the field (RFC 9110, section 14.2); no file here is large.
        var head = request.head
        head.headerFields[.range] = nil
        let request = request.headers.contains(.range) ? Request(head: head, body: request.body) : request
        var response: Response
        do {
            if let refusal = try refusal(of: request) {
                response = refusal
            } else {
                response = try await next(request, context)
            }
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch is HTTPParserError {
            response = Response(status: .badRequest)
        } catch {
            // Without the address, which has what people search for, and codes to sign in with.
            context.logger.error("\(request.method) \(context.endpointPath ?? ""): \(error)")
            response = Response(status: .internalServerError)
        }
        for field in headers { response.headers[field.name] = field.value }
        // A proxy that stores more than it should would give a visitor's cookie to others (RFC 9111, section 7.3).
        if response.headers.contains(.setCookie), response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
        }
        return response
    }

    private func refusal(of request: Request) throws -> Response? {
        // The first field is the request's authority.
        guard !request.headers.contains(.parsed("Host")) else { return Response(status: .badRequest) }
        // Load balancers use addresses instead of the name.
        if !["/health", "/ready"].contains(request.uri.path) {
            let origin = site.services.origin
            do throws(OriginPolicy.Refusal) {
                let host = try originPolicy.check(request.head, origin: origin.origin)
                // Cookies belong to a name, so pages have one.
                if [.get, .head].contains(request.method), host != origin.hostInAuthority {
                    return .redirect(to: origin.origin + request.uri.string, type: .temporary)
                }
            } catch {
                return Response(status: error == .unknownHost ? .misdirectedRequest : .forbidden)
            }
        }
        // The router would respond that there's nothing at the address (RFC 9110, section 15.5.6).
        let methods: [HTTPRequest.Method] = [.get, .head] + (Self.formPaths.contains(request.uri.path) ? [.post] : [])
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            return Response(status: .methodNotAllowed, headers: [.allow: allowed])
        }
        // Before the body, which a client could announce and never send.
        let size = request.headers[.contentLength].map { Int($0) ?? .max } ?? 0
        return size > site.configuration.limits.formBytes ? Response(status: .contentTooLarge) : nil
    }
}

/// Finds the visitor of a request by the id in the cookie, or welcomes a new one. Shows errors as pages.
struct VisitorMiddleware: RouterMiddleware {
    let site: Site

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let values = site.cookies.values(of: .visitor, in: request)
        let known = values.lazy.compactMap { site.visitorCookie.visitor(in: $0) }.first
        let visitor = await site.visitor(known?.id ?? VisitorID())
        let id = visitor.id
        let language = site.cookies.value(of: .language, in: request).flatMap(SiteLanguage.init)
        let theme = site.cookies.value(of: .theme, in: request).flatMap(SiteTheme.init)
        visitor.language = language ?? .preferred(by: request.headers[.acceptLanguage])
        visitor.theme = theme
        var context = context
        context.current = (visitor, id)
        let isTemporary = visitor.isTemporary && known.map { $0.id != id } == true
        var response: Response
        do {
            // Nothing may seem to be stored, and a stream waits for the visitor's own stores.
            if isTemporary, request.method == .post || ["/events", "/sign-in/callback"].contains(request.uri.path) {
                throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"])
            }
            response = try await next(request, context)
        } catch let error as HTTPError where request.headers[.accept]?.contains("text/html") == true {
            response = site.errorPage(error.status, for: visitor)
        }
        let cookie = site.cookies.name(of: .visitor) + "="
        let replacesID = response.headers[values: .setCookie].contains { $0.hasPrefix(cookie) }
        guard !replacesID else { return response }
        guard let known else {
            response.setCookie(site.cookie(of: id))
            return response
        }
        // The visitor has signed in meanwhile, so the response is only for the new cookie, with which a browser tries again.
        guard await site.isCurrent(id, of: visitor) else {
            let address = request.method == .get ? PageAddress(request.uri.string) : nil
            return address.map { .redirect(to: $0.text, type: .normal) } ?? Response(status: .conflict)
        }
        if known.isAging, known.id.rawValue == id.rawValue, !isTemporary {
            response.setCookie(site.cookie(of: id))
            // A browser forgets a cookie a year after it was set. A form can have made another choice.
            if request.method == .get {
                if let language { response.setCookie(site.cookies.choosing(.language, language.rawValue)) }
                if let theme { response.setCookie(site.cookies.choosing(.theme, theme.rawValue)) }
            }
        }
        return response
    }
}
