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
    func perform(_ request: Request, _ context: SiteContext) async throws -> Response {
        let visitor = try context.visitor
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
            let address = PageAddress(fields["address"] ?? "")
        else { throw HTTPError(.badRequest) }
        // A page from before the visitor signed in or out loads again.
        guard try await isCurrent(fields, context) else { return try response(.go(address.text), to: request) }
        let action = PageAction(fields)
        if action.name == .language {
            var response = Response.redirect(to: address.text, type: .normal)
            if let language = SiteLanguage(rawValue: action.value) {
                response.headers[.setCookie] = languageCookie.setting(language.rawValue)
            }
            return response
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
        var cookie: String?
        if action.changesAccount {
            cookie = try await replaceID(context.visitorID, of: visitor)
            id = await add(page, for: visitor).id
        }
        var outcome = await page.perform(action, atMost: configuration.limits.loading, clock: configuration.clock)
        if outcome == .stay, !request.isFromScript || cookie != nil {
            // A page in a browser has a token for the former id, so it loads again.
            visitor.willReturn(to: id)
            outcome = .go(page.address.text)
        }
        var response = try response(outcome, to: request)
        if let cookie { response.headers[.setCookie] = cookie }
        return response
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
        let layout = LayoutView(content, at: PageAddress(path: ""), page: "", texts: texts, visitor, self)
        return html(layout, status: status)
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
    ///
    /// - Returns: Whether the page is from after the visitor's last sign-in or sign-out.
    /// - Throws: `HTTPError` with the status 403 if it's the page of somebody else.
    func isCurrent(_ fields: [String: String], _ context: SiteContext) async throws -> Bool {
        let visitor = try context.visitor
        func isToken(of id: VisitorID) -> Bool { (try? formTokens.check(fields["csrf"], of: id)) != nil }
        let id = try context.visitorID
        guard isToken(of: id) || visitor.formerIDs.contains(where: isToken) else { throw HTTPError(.forbidden) }
        guard isToken(of: id) else { return false }
        return await isCurrent(id, of: visitor)
    }

    private func open(_ screen: any Screen, for visitor: Visitor) async -> (id: String, page: OpenPage) {
        let container = visitor.container
        let context = PageContext(
            session: visitor.session,
            container: container,
            texts: container.texts(),
            image: address(of:)
        )
        let page = await mainActorHops.run { LivePage(screen, in: context) }
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        return await add(page, for: visitor)
    }

    /// Adds a page under a new id, with a feed of its own.
    private func add(_ page: LivePage, for visitor: Visitor) async -> (id: String, page: OpenPage) {
        let (content, texts) = (await page.content, page.texts)
        let feed = PageFeed(page.contents()) { [templates] in
            PageDifference(from: content, siteTitle: texts(.siteTitle), templates: templates)
        }
        let id = RandomID.make()
        let open = OpenPage(page: page, feed: feed)
        insert(open, for: id, of: visitor)
        return (id, open)
    }

    private func response(_ open: OpenPage, id: String, for visitor: Visitor) async -> Response {
        // Before the content, so that no change is missed; to apply one twice changes nothing.
        let event = open.feed.log.lastID
        let (content, page) = (await open.page.content, open.page)
        return html(LayoutView(content, at: page.address, page: id, event: event, texts: page.texts, visitor, self))
    }

    /// Returns the response to a form: a redirect, or what a script needs to do the same.
    private func response(_ outcome: PageOutcome, to request: Request) throws -> Response {
        guard case .go(let address) = outcome else { return Response(status: .noContent) }
        guard request.isFromScript else { return .redirect(to: address, type: .normal) }
        let body = try JSONEncoder().encode(["location": address])
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}

extension Request {
    /// Whether the page's script sent the form.
    fileprivate var isFromScript: Bool { headers[.accept]?.contains("application/json") == true }
}
