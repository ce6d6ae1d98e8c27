import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServerStores

extension Site {
    func router() -> Router<SiteContext> {
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: GuardMiddleware(site: self))
        router.add(
            middleware: FileMiddleware(
                Bundle.module.bundlePath + "/Assets",
                urlBasePath: "/assets",
                cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]),
                // It reports its folder.
                logger: Logger(label: "assets") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        // Without it, the route of all pages would take the addresses of files.
        router.get("/assets/**") { _, _ -> Response in throw HTTPError(.notFound) }
        // A robot that follows links would use up the requests that the services accept from all visitors (RFC 9309).
        router.get("/robots.txt") { _, _ in "User-agent: *\nAllow: /$\nAllow: /assets/\nDisallow: /\n" }
        router.get("/health") { _, _ in "OK\n" }
        router.get("/ready") { [self] _, _ in await readiness() }
        router.get("/images/:signed") { [self] request, context in try await image(request, context) }
        let pages = router.group().add(middleware: VisitorMiddleware(site: self))
        pages.get("/") { [self] request, context in try await page(request, context) }
        pages.get("/events") { [self] request, context in try await events(request, context) }
        // A page without JavaScript is at this address after an action, and can be reloaded from it.
        pages.get("/actions") { [self] request, _ in
            let place = cookies.value(of: .place, in: request).flatMap { PageAddress($0) }
            return Response.redirect(to: place?.text ?? "/", type: .normal)
        }
        pages.post("/actions") { [self] request, context in try await perform(request, context) }
        addSignIn(to: pages)
        pages.get("**") { [self] request, context in try await page(request, context) }
        return router
    }

    /// Returns the server of the site, with what it runs beside requests; the closure receives its port.
    func application(
        address: BindAddress,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> Application<RouterResponder<SiteContext>> {
        Application(
            router: router(),
            server: .http1(configuration: connections),
            configuration: ApplicationConfiguration(address: address),
            services: [Sweeper(site: self, logger: logger)],
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    /// What a connection may do; nginx ends idle ones.
    var connections: HTTP1Channel.Configuration {
        .init(
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8_192,
                maxHeaderListSize: 32_768,
                maxHeaderFieldCount: 100
            )
        )
    }

    private func readiness() async -> Response {
        let isReady = await configuration.stores.isReady()
        return Response(
            status: isReady ? .ok : .serviceUnavailable,
            body: ResponseBody(byteBuffer: ByteBuffer(string: isReady ? "OK\n" : "The stores can't be used\n"))
        )
    }
}
