import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// Opens a page.
    func page(_ request: Request, _ visitor: Visitor) async throws -> Response {
        guard let address = PageAddress(request.uri.string) else { throw HTTPError(.badRequest) }
        guard let screen = Screens.screen(at: address) else { throw HTTPError(.notFound) }
        if let (id, page) = visitor.returningPage(at: screen.address) {
            return await response(page, id: id, for: visitor)
        }
        let page = await open(screen, for: visitor)
        let id = RandomID.make()
        visitor.pages.insert(page, for: id)
        return await response(page, id: id, for: visitor)
    }

    /// Performs the action of a form, and leads back to the page.
    func perform(_ request: Request, _ visitor: Visitor) async throws -> Response {
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
            let address = PageAddress(fields["address"] ?? "")
        else { throw HTTPError(.badRequest) }
        let action = PageAction(fields)
        if action.name == .language {
            visitor.language = SiteLanguage(rawValue: action.value) ?? visitor.language
            return .redirect(to: address.text, type: .normal)
        }
        var id = fields["page"] ?? ""
        let page: LivePage
        if let known = visitor.pages.value(for: id) {
            page = known
        } else {
            // The page was released, so it's opened again: its buttons still work.
            guard let screen = Screens.screen(at: address) else { throw HTTPError(.notFound) }
            page = await open(screen, for: visitor)
            id = RandomID.make()
            visitor.pages.insert(page, for: id)
        }
        let outcome = await page.perform(action, atMost: configuration.limits.loading, clock: configuration.clock)
        if request.headers[.accept]?.contains("application/json") == true { return try json(outcome) }
        switch outcome {
        case .stay:
            visitor.willReturn(to: id)
            return .redirect(to: page.address.text, type: .normal)
        case .go(let address): return .redirect(to: address, type: .normal)
        }
    }

    /// Returns a page that shows an error.
    func errorPage(_ status: HTTPResponse.Status, for visitor: Visitor) -> Response {
        let texts = visitor.container.texts()
        let isMissing = status == .notFound
        let message = MessageView(
            title: texts(isMissing ? .notFoundTitle : .errorTitle),
            text: texts(isMissing ? .notFound : .error)
        )
        let parts = [
            PagePart(.header, .template("header", HeaderView(title: message.title))),
            PagePart(.status, .template("status", StatusView(.failed, lines: [message.text]))),
        ]
        let content = PageContent(title: message.title, parts: parts)
        return html(LayoutView(content, at: PageAddress(), page: "", visitor, templates), status: status)
    }

    /// Renders a layout.
    func html(_ layout: LayoutView, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: templates.render("layout", layout)))
        )
    }

    private func open(_ screen: any Screen, for visitor: Visitor) async -> LivePage {
        let container = visitor.container
        let context = PageContext(
            session: visitor.session,
            container: container,
            texts: container.texts(),
            image: signedAddress(of:)
        )
        let page = await LivePage(screen, in: context)
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        return page
    }

    private func response(_ page: LivePage, id: String, for visitor: Visitor) async -> Response {
        html(LayoutView(await page.content, at: page.address, page: id, visitor, templates))
    }

    private func json(_ outcome: PageOutcome) throws -> Response {
        guard case .go(let address) = outcome else { return Response(status: .noContent) }
        let body = try JSONEncoder().encode(["location": address])
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
