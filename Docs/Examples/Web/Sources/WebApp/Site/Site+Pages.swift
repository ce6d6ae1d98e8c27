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
        let (id, page) = await open(screen, for: visitor)
        return await response(page, id: id, for: visitor)
    }

    /// Performs the action of a form, and leads back to the page.
    func perform(_ request: Request, _ visitor: Visitor) async throws -> Response {
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
            let address = PageAddress(fields["address"] ?? "")
        else { throw HTTPError(.badRequest) }
        try check(fields, of: visitor)
        let action = PageAction(fields)
        if action.name == .language {
            visitor.language = SiteLanguage(rawValue: action.value) ?? visitor.language
            return .redirect(to: address.text, type: .normal)
        }
        var id = fields["page"] ?? ""
        let page: LivePage
        if let known = visitor.pages.value(for: id) {
            page = known.page
        } else {
            // The page was released, so it's opened again: its buttons still work.
            guard let screen = Screens.screen(at: address) else { throw HTTPError(.notFound) }
            let opened = await open(screen, for: visitor)
            (id, page) = (opened.id, opened.page.page)
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
        return html(LayoutView(content, at: PageAddress(path: ""), page: "", visitor, self), status: status)
    }

    /// Renders a layout.
    func html(_ layout: LayoutView, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: templates.render("layout", layout)))
        )
    }

    /// Checks that a form came from a page of its visitor.
    func check(_ fields: [String: String], of visitor: Visitor) throws {
        let isGenuine = visitor.formIDs.contains { id in (try? formTokens.check(fields["csrf"], of: id)) != nil }
        guard isGenuine else { throw HTTPError(.forbidden) }
    }

    private func open(_ screen: any Screen, for visitor: Visitor) async -> (id: String, page: OpenPage) {
        let container = visitor.container
        let context = PageContext(
            session: visitor.session,
            container: container,
            texts: container.texts(),
            image: address(of:)
        )
        let page = await LivePage(screen, in: context)
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        let difference = PageDifference(
            from: await page.content,
            siteTitle: context.texts(.siteTitle),
            templates: templates
        )
        let id = RandomID.make()
        let open = OpenPage(page: page, feed: PageFeed(page.contents(), since: difference))
        visitor.pages.insert(open, for: id)
        return (id, open)
    }

    private func response(_ open: OpenPage, id: String, for visitor: Visitor) async -> Response {
        // Before the content, so that no change is missed; to apply one twice changes nothing.
        let event = open.feed.log.lastID
        return html(LayoutView(await open.page.content, at: open.page.address, page: id, event: event, visitor, self))
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
