import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Site {
    func page(_ request: Request, _ context: SiteContext) async throws -> Response {
        let visitor = try context.visit.visitor
        guard let address = PageAddress(request.uri.string) else { throw HTTPError(.badRequest) }
        let id = RandomID.make()
        let arrival = cookies.value(of: .arrival, in: request) == nil ? nil : await visitor.session.takeStarOutcome()
        guard let page = await openPage(id, at: address, for: visitor, arrival: arrival) else {
            throw HTTPError(.notFound)
        }
        var response = await response(page, id: id, for: visitor)
        if arrival != nil { response.setCookie(cookies.removing(.arrival)) }
        return response
    }

    /// Performs the action of a form, and shows the page.
    func perform(_ request: Request, _ context: SiteContext) async throws -> Response {
        let (visitor, visitorID) = try context.visit
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
            let address = PageAddress(fields["address"] ?? "")
        else { throw HTTPError(.badRequest) }
        // A page from before the visitor signed in or out loads again.
        let action = PageAction(fields)
        if try await !isCurrent(fields, context) {
            // A star of a page from before the visitor signed out asks to sign in, and changes nothing.
            let hasToken = (try? await visitor.container.gitHubTokenRepository().current()) != nil
            guard action.name == .star, !hasToken else { return try response(.go(address.text), to: request) }
        }
        if action.name == .language || action.name == .theme {
            // The button of the settings has the focus again.
            var response = Response.redirect(to: address.text + "#settings", type: .normal)
            let isLanguage = action.name == .language
            let isKnown =
                isLanguage ? SiteLanguage(rawValue: action.value) != nil : SiteTheme(rawValue: action.value) != nil
            let name: SiteCookies.Name = isLanguage ? .language : .theme
            response.setCookie(
                isKnown ? cookies.choosing(name, action.value) : cookies.removing(name)
            )
            return response
        }
        let id = fields["page"].flatMap { RandomID.isValid($0) ? $0 : nil } ?? RandomID.make()
        // A page that was released, or is at another process, opens again from its address: its buttons still work.
        guard let page = await openPage(id, at: address, for: visitor, isInput: action.name == .input) else {
            throw HTTPError(.notFound)
        }
        let cookie = action.changesAccount ? try await replaceID(visitorID, of: visitor) : nil
        let limits = configuration.limits
        var outcome = await page.perform(action, atMost: limits.loading, clock: configuration.clock)
        if outcome == .missing { throw HTTPError(.conflict) }
        guard let cookie else {
            guard outcome == .stay else { return try response(outcome, to: request) }
            // Not a redirect, which may lead to another process: the content may have a notice or a question.
            guard request.isFromScript else {
                var response = await response(page, id: id, for: visitor)
                let place = page.address.text
                // A request has room for one of the longest addresses, that of the page that asked to sign in.
                let isShort = place.utf8.count < 2_000
                response.setCookie(isShort ? cookies.setting(.place, to: place, for: 3_600) : cookies.removing(.place))
                return response
            }
            // Its stream sends what has changed, unless that is at another process, or something on the way keeps events back.
            let isSent = visitor.pages.isInUse(id) && action.name != .dismiss && fields["live"] != ""
            return isSent ? Response(status: .noContent) : try json(await update(page, visitor))
        }
        // A page in a browser has a token for the former id, so it loads again.
        if outcome == .stay { outcome = .go(address.text) }
        var response = try response(outcome, to: request)
        response.setCookie(cookie)
        // Without one, that of an attempt that was abandoned would lead back to its page.
        let origin = address.origin.map { cookies.setting(.origin, to: $0.text, for: 600) }
        response.setCookie(origin ?? cookies.removing(.origin))
        // The next page shows what a star led to, or why signing out failed.
        if origin != nil || action.name == .signOut {
            response.setCookie(cookies.setting(.arrival, to: "1", for: origin == nil ? 60 : 960))
        }
        return response
    }

    func errorPage(_ status: HTTPResponse.Status, for visitor: Visitor) -> Response {
        let texts = visitor.container.texts()
        let (title, text): (Phrase, Phrase) =
            switch status {
            case .notFound: (.notFoundTitle, .notFound)
            // The form came without the cookie of its page.
            case .forbidden: (.errorTitle, .needsCookies)
            default: (.errorTitle, .error)
            }
        let message: HTML = "<div class=\"message\"><p>\(texts(text))</p></div>"
        let content = PageContent(
            title: texts(title),
            parts: [
                PagePart(.header, header(texts(title))),
                PagePart(.status, PageStatus.failed.html(message: (message, homeHelp(texts)))),
            ],
            status: status
        )
        return html(content, at: PageAddress(path: ""), id: "", of: visitor, texts)
    }

    func html(
        _ content: PageContent,
        at address: PageAddress,
        id: String,
        of visitor: Visitor,
        _ texts: Texts
    ) -> Response {
        html(layout(content, at: address, id: id, of: visitor, texts), status: content.status)
    }

    private func html(_ document: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: document.text))
        )
    }

    /// Returns whether a form is newer than the last sign-in or sign-out; 403 if it's somebody else's.
    func isCurrent(_ fields: [String: String], _ context: SiteContext) async throws -> Bool {
        let (visitor, id) = try context.visit
        guard let isToken = formTokens.isCurrent(fields["csrf"], of: id) else { throw HTTPError(.forbidden) }
        guard isToken else { return false }
        return await isCurrent(id, of: visitor)
    }

    /// Returns an open page; opens it if this process has none that shows the address. `nil` if there is no screen.
    ///
    /// With `isInput`, the address is about to change, so a page of another query can be used.
    func openPage(
        _ id: String,
        at address: PageAddress?,
        for visitor: Visitor,
        isInput: Bool = false,
        arrival: String? = nil
    ) async -> LivePage? {
        guard RandomID.isValid(id), let address, let screen = Screens.screen(at: address) else { return nil }
        func isUsable(_ page: LivePage) -> Bool {
            isInput ? page.address.path == address.path : page.shows(address)
        }
        if let page = visitor.pages.value(for: id), isUsable(page) { return page }
        let container = visitor.container
        let context = PageContext(
            shown: Shared(address),
            session: visitor.session,
            container: container,
            // Another process may have begun or ended the session. Not `start()`, which also loads the user and the stars.
            hasToken: (try? await container.gitHubTokenRepository().current()) != nil,
            texts: container.texts(),
            project: configuration.projectURL?.absoluteString,
            arrival: Shared(arrival),
            image: self.address(of:)
        )
        let page = await LivePage(screen, in: context)
        await page.waitUntilLoaded(atMost: configuration.limits.loading, clock: configuration.clock)
        // Another request may have opened it meanwhile.
        return insert(page, for: id, of: visitor, where: isUsable)
    }

    private func response(_ page: LivePage, id: String, for visitor: Visitor) async -> Response {
        html(await page.content, at: page.address, id: id, of: visitor, page.texts)
    }

    /// Returns everything that a page shows, for a browser that may show something else.
    private func update(_ page: LivePage, _ visitor: Visitor) async -> ShownPage.Update {
        var shown = ShownPage()
        var update = shown.advance(to: await page.content) ?? ShownPage.Update()
        update.token = formTokens.token(for: visitor.id)
        return update
    }

    /// Returns the response to a form: a redirect, or what a script needs to do the same.
    ///
    /// Chrome refuses each redirect of a form to a host that the content security policy doesn't name, also one by the
    /// authorization page, such as to a company's own sign-in. So a page leads to another site.
    private func response(_ outcome: PageOutcome, to request: Request) throws -> Response {
        guard case .go(let address) = outcome else { return Response(status: .noContent) }
        guard !request.isFromScript else { return try json(["location": address]) }
        let url = URL(string: address)
        guard let host = url?.host(), url?.origin != services.origin.origin else {
            return .redirect(to: address, type: .normal)
        }
        return html(
            """
            <!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
            <meta http-equiv="refresh" content="0;url=\(value: address)"><title>\(host)</title>\
            <a href="\(value: address)">\(host)</a>
            """
        )
    }

    private func json(_ value: some Encodable) throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value)))
        )
    }
}

extension Request {
    fileprivate var isFromScript: Bool { headers[.accept]?.contains("application/json") == true }
}
