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
    /// The client, for limits.
    var client = ClientAddress(peer: nil)

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
        let isRetired = known.flatMap { site.retiredIDs.value(for: $0) } != nil
        let language = SiteLanguage.preferred(by: request.headers[.acceptLanguage])
        let visitor: Visitor
        if let known, !isRetired {
            if let wait = site.visitorLimit.take(known) { return .tooManyRequests(after: wait) }
            visitor = site.visitor(known, preferring: language)
        } else {
            if let wait = site.welcomeLimit.take(context.client) { return .tooManyRequests(after: wait) }
            visitor = site.newVisitor(preferring: language)
            // A request in flight during a sign-in must not replace the new cookie.
            if !isRetired { site.visitors.insert(visitor, for: visitor.id) }
        }
        var context = context
        context.currentVisitor = visitor
        var response = try await next(request, context)
        let isRenewed = site.renewID(of: visitor)
        if known == nil || isRenewed { response.headers[values: .setCookie].append(site.cookie.setting(visitor.id)) }
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
