import HTTPTypes
public import Hummingbird
import NIOCore
import WebSupport

/// The context of a request.
public struct SiteContext: RequestContext {
    /// The values that Hummingbird needs.
    public var coreContext: CoreRequestContextStorage
    /// The visitor, once ``VisitorMiddleware`` has found them.
    var currentVisitor: Visitor?
    /// The IP address of the connection; `nil` in tests without one.
    let peer: String?

    /// Creates the context of a request without a visitor.
    public init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress?.ipAddress
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// The visitor of a route behind ``VisitorMiddleware``.
    var visitor: Visitor {
        get throws {
            guard let currentVisitor else { throw HTTPError(.internalServerError) }
            return currentVisitor
        }
    }
}

/// Finds the visitor of a request by their cookie, or welcomes a new one.
struct VisitorMiddleware: RouterMiddleware {
    let site: Site

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let known = site.cookie.visitor(in: request.headers[values: .cookie])
        let id = known ?? VisitorID()
        if known != nil, let wait = site.visitorLimit.take(id) { return .tooManyRequests(after: wait) }
        var context = context
        context.currentVisitor = site.visitor(id, preferring: .preferred(by: request.headers[.acceptLanguage]))
        var response = try await next(request, context)
        if known == nil { response.headers[values: .setCookie].append(site.cookie.setting(id)) }
        return response
    }
}

/// Shows errors as pages of the site.
struct ErrorMiddleware: RouterMiddleware {
    let site: Site

    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where request.headers[.accept]?.contains("text/html") == true {
            return site.errorPage(error.status, for: try context.visitor)
        }
    }
}

/// An id that can't be guessed.
enum RandomID {
    /// Returns 128 random bits as hexadecimal digits.
    static func make() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
