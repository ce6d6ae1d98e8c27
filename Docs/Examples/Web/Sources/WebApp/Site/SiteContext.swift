import HTTPTypes
public import Hummingbird
import NIOCore
import WebSupport

/// The context of a request.
public struct SiteContext: RequestContext {
    /// The values that Hummingbird needs.
    public var coreContext: CoreRequestContextStorage
    /// The visitor and the id in the request's cookie, once ``VisitorMiddleware`` has found them.
    var current: (visitor: Visitor, id: VisitorID)?
    /// The IP address of the connection; `nil` in tests without one.
    let peer: String?
    /// The client, for limits.
    var client = ClientAddress(peer: nil)

    /// Creates the context of a request without a visitor.
    public init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress?.ipAddress
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

/// Finds the visitor of a request by the id in the cookie, or welcomes a new one. Shows errors as pages.
struct VisitorMiddleware: RouterMiddleware {
    let site: Site

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let cookies = request.headers[values: .cookie]
        let known = site.cookie.visitor(in: cookies)
        let wait = (known?.id).map(site.visitorLimit.take) ?? site.welcomeLimit.take(context.client)
        if let wait { return .tooManyRequests(after: wait) }
        let visitor = await site.visitor(known?.id ?? VisitorID(), from: context.client)
        let id = visitor.id
        visitor.language =
            site.languageCookie.value(in: cookies).flatMap(SiteLanguage.init)
            ?? .preferred(by: request.headers[.acceptLanguage])
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
        let replacesID = response.headers[values: .setCookie].contains { $0.hasPrefix(site.cookie.name + "=") }
        guard !replacesID else { return response }
        guard let known else {
            response.headers[values: .setCookie].append(site.cookie.setting(id))
            return response
        }
        // The visitor has signed in meanwhile, so the response is only for the new cookie, with which a browser tries again.
        guard await site.isCurrent(id, of: visitor) else {
            let address = request.method == .get ? PageAddress(request.uri.string) : nil
            return address.map { .redirect(to: $0.text, type: .normal) } ?? Response(status: .conflict)
        }
        if known.isAging, known.id.rawValue == id.rawValue, !isTemporary {
            response.headers[values: .setCookie].append(site.cookie.setting(id))
        }
        return response
    }
}
