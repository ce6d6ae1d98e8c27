import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// Opens a page.
    func page(_ request: Request, _ context: SiteContext) async throws -> Response {
        let visitor = try context.visit.visitor
        guard let address = PageAddress(request.uri.string) else { throw HTTPError(.badRequest) }
        let id = RandomID.make()
        guard let page = await openPage(id, at: address, for: visitor) else { throw HTTPError(.notFound) }
        return await response(page, id: id, for: visitor)
    }

    /// Performs the action of a form, and shows the page.
    func perform(_ request: Request, _ context: SiteContext) async throws -> Response {
        let (visitor, visitorID) = try context.visit
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
        let id = fields["page"].flatMap { RandomID.isValid($0) ? $0 : nil } ?? RandomID.make()
        if request.isFromScript, !action.changesAccount, let outcome = await performElsewhere(fields, on: id, visitor) {
            return try response(outcome, to: request)
        }
        // If the page was released, it's opened again: its buttons still work.
        guard let open = await openPage(id, at: address, for: visitor) else { throw HTTPError(.notFound) }
        guard action.changesAccount else {
            let outcome = await perform(action, on: open.page)
            guard outcome == .stay, !request.isFromScript else { return try response(outcome, to: request) }
            // Not a redirect, which may lead to another process: the content may have a notice or a question.
            return await response(open, id: id, for: visitor)
        }
        let cookie = try await replaceID(visitorID, of: visitor)
        var outcome = await perform(action, on: open.page)
        // A page in a browser has a token for the former id, so it loads again.
        if outcome == .stay { outcome = .go(open.page.address.text) }
        var response = try response(outcome, to: request)
        response.headers[.setCookie] = cookie
        return response
    }

    /// Performs an action on an open page.
    func perform(_ action: PageAction, on page: LivePage) async -> PageOutcome {
        await page.perform(action, atMost: configuration.limits.loading, clock: configuration.clock)
    }

    /// Performs an action at the process that has the page's stream; `nil` if that's this process, or none.
    private func performElsewhere(_ fields: [String: String], on page: String, _ visitor: Visitor) async -> PageOutcome?
    {
        if let own = visitor.pages.value(for: page), own.feed.log.readerCount > 0 { return nil }
        let limits = configuration.limits
        return await messages?.perform(
            fields,
            on: page,
            of: visitor.id,
            atMost: limits.loading,
            clock: configuration.clock
        )
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
        let (visitor, id) = try context.visit
        guard let isToken = try? formTokens.check(fields["csrf"], of: id) else { throw HTTPError(.forbidden) }
        guard isToken else { return false }
        return await isCurrent(id, of: visitor)
    }

    /// Returns an open page; opens it if this process doesn't have it, or doesn't anymore.
    ///
    /// - Returns: `nil` if there is no screen at the address.
    func openPage(_ id: String, at address: PageAddress?, for visitor: Visitor) async -> OpenPage? {
        if let open = visitor.pages.value(for: id) { return open }
        guard RandomID.isValid(id), let screen = address.flatMap(Screens.screen) else { return nil }
        let container = visitor.container
        let context = PageContext(
            session: visitor.session,
            container: container,
            texts: container.texts(),
            onPolling: { [messages, key = visitor.id.key] in await messages?.startPolling(key) },
            image: self.address(of:)
        )
        let page = await mainActorHops.run { LivePage(screen, in: context) }
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        return await add(page, as: id, for: visitor)
    }

    /// Adds a page, with a feed of its own, unless another request has added it meanwhile.
    private func add(_ page: LivePage, as id: String, for visitor: Visitor) async -> OpenPage {
        let (content, texts) = (await page.content, page.texts)
        let feed = PageFeed(page.contents()) { [templates] in
            PageDifference(from: content, siteTitle: texts(.siteTitle), templates: templates)
        }
        return insert(OpenPage(page: page, feed: feed), for: id, of: visitor)
    }

    private func response(_ open: OpenPage, id: String, for visitor: Visitor) async -> Response {
        // Before the content, so that no change is missed; to apply one twice changes nothing.
        let event = open.feed.log.id(of: open.feed.log.lastID)
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
