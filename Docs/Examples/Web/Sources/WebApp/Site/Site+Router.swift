public import Hummingbird
import HummingbirdCore
import NIOCore
public import Logging
import WebSupport

extension Site {
    /// The routes of the site.
    public func router() throws -> Router<SiteContext> {
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: GuardMiddleware(site: self))
        try addAssets(to: router)
        addHealth(to: router)
        router.get("/images/:signed") { [self] request, context in try await image(request, context) }
        let pages = router.group().add(middleware: VisitorMiddleware(site: self))
        pages.get("/") { _, _ in Response.redirect(to: "/users", type: .normal) }
        pages.get("/events") { [self] request, context in try await events(request, context) }
        // A page without JavaScript is at this address after an action.
        pages.get("/actions") { _, _ in Response.redirect(to: "/", type: .normal) }
        pages.post("/actions") { [self] request, context in try await perform(request, context) }
        addSignIn(to: pages)
        pages.get("**") { [self] request, context in try await page(request, context) }
        return router
    }

    /// The server of the site, with what it runs beside requests.
    ///
    /// - Parameters:
    ///   - address: Where the server listens; port 0 is any free one.
    ///   - logger: The log.
    ///   - onRunning: Receives the port.
    public func application(
        address: BindAddress,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) throws -> Application<RouterResponder<SiteContext>> {
        Application(
            router: try router(),
            server: .http1(configuration: channelConfiguration),
            configuration: ApplicationConfiguration(address: address),
            services: [Sweeper(site: self, logger: logger)],
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        let connections = connections
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [connections.handler()],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8_192,
                maxHeaderListSize: 32_768,
                maxHeaderFieldCount: 100
            )
        )
    }
}
