import BrowseKit
import Foundation
public import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// The routes of the site.
    public func router() -> Router<SiteContext> {
        let router = Router(context: SiteContext.self)
        router.add(middleware: FileMiddleware(Bundle.module.bundlePath + "/Assets", urlBasePath: "/assets"))
        router.get("/health") { _, _ in "OK\n" }
        let pages = router.group().add(middleware: VisitorMiddleware(site: self))
        pages.get("/") { _, _ in Response.redirect(to: "/users", type: .normal) }
        for screen in Screens.all {
            pages.get(RouterPath(screen.path)) { [self] request, context in try await page(request, context.visitor) }
        }
        pages.post("/actions") { [self] request, context in try await perform(request, context.visitor) }
        return router
    }

    /// Opens a page.
    private func page(_ request: Request, _ visitor: Visitor) async throws -> Response {
        guard let address = PageAddress(request.uri.string), let screen = Screens.screen(at: address) else {
            throw HTTPError(.notFound)
        }
        let id = RandomID.make()
        let page = await open(screen, for: visitor)
        visitor.pages.insert(page, for: id)
        let content = await page.content
        let html = templates.render("layout", LayoutView(content, at: address, page: id, visitor, templates))
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    /// Performs the action of a form, and leads back to the page.
    private func perform(_ request: Request, _ visitor: Visitor) async throws -> Response {
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
            let address = PageAddress(fields["address"] ?? "")
        else { throw HTTPError(.badRequest) }
        let action = PageAction(fields)
        if action.name == PageAction.language, let language = SiteLanguage(rawValue: action.value) {
            visitor.language = language
            return .redirect(to: address.text, type: .normal)
        }
        // An outdated page is opened again, so its buttons still work.
        let page: LivePage
        if let known = visitor.pages.value(for: fields["page"] ?? "") {
            page = known
        } else {
            guard let screen = Screens.screen(at: address) else { throw HTTPError(.notFound) }
            page = await open(screen, for: visitor)
        }
        switch await page.perform(action) {
        case .stay: return .redirect(to: page.address.text, type: .normal)
        case .go(let address): return .redirect(to: address, type: .normal)
        }
    }

    private func open(_ screen: any Screen, for visitor: Visitor) async -> LivePage {
        let container = visitor.container
        let context = PageContext(texts: container.texts()) { [signer = configuration.signer] request in
            "/images/" + signer.sign("\(request.side ?? 0) \(request.address.rawValue)", for: "image")
        }
        let page = await LivePage(screen, in: container, context: context)
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        return page
    }
}
