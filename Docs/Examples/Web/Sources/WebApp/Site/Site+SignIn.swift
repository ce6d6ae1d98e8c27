import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird

extension Site {
    /// Adds the page to which GitHub sends the browser back and, on fixtures, GitHub's own page.
    func addSignIn(to pages: RouterGroup<SiteContext>) {
        // A router that has a route below a path doesn't try `**` for the path itself.
        pages.get("/sign-in") { [self] request, context in try await page(request, context) }
        pages.get("/sign-in/callback") { [self] request, context in
            try await signInCallback(request, context)
        }
        guard case .fixtures = configuration.source else { return }
        pages.get("/login/oauth/authorize") { [self] request, context in
            try authorizationPage(request, context.visit.visitor)
        }
        pages.post("/login/oauth/authorize") { [self] request, context in
            try await authorize(request, context)
        }
    }

    private func signInCallback(_ request: Request, _ context: SiteContext) async throws -> Response {
        let (visitor, id) = try context.visit
        // One that looks ahead, as of some browsers and of scanners of links, would use up the code, and could drop the cookie.
        let isAhead = [HTTPField.Name.parsed("Sec-Purpose"), .parsed("Purpose")].contains { request.headers[$0] != nil }
        guard request.method == .get, !isAhead else { throw HTTPError(.serviceUnavailable) }
        guard let url = URL(string: services.origin.absoluteString + request.uri.string) else {
            throw HTTPError(.badRequest)
        }
        let session = visitor.session
        let model = await session.signIn(in: visitor.container)
        await session.resume(model)
        let origin = cookies.value(of: .origin, in: request).flatMap { PageAddress($0) }
        // An attempt that failed or expired can be repeated, and then leads back, too.
        let star = await session.hasStar ? "star" : nil
        var address = PageAddress(path: "sign-in", query: ["for": star, "from": origin?.text]).text
        // Any site can lead here, so nothing changes before the state is checked, and nothing is finished twice.
        guard case .waitingForBrowser(let page) = await model.state, let state = Self.item("state", of: page.url),
            state == Self.item("state", of: url), (try? await session.take(model)) == true
        else { return .redirect(to: address, type: .normal) }
        // Again: a person who started the sign-in could have planted the cookie of it.
        let cookie = try await replaceID(id, of: visitor)
        let (limits, container) = (configuration.limits, visitor.container)
        let work = Task {
            await model.finishSignIn(with: url)
            guard case .signedIn = await model.state else { return false }
            await session.finishStar(in: container, atMost: limits.loading)
            return true
        }
        // It goes on after the limit. A proxy that gives up before would lose the cookie, and with it what the visitor has stored.
        if await work.value(orAfter: limits.loading * 2, clock: configuration.clock) == true {
            address = origin?.link ?? "/account"
        }
        var response = Response.redirect(to: address, type: .normal)
        response.setCookie(cookie)
        if cookies.value(of: .origin, in: request) != nil { response.setCookie(cookies.removing(.origin)) }
        response.setCookie(cookies.setting(.arrival, to: "1", for: 60))
        return response
    }

    private static func item(_ name: String, of url: URL?) -> String? {
        let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems }
        return items?.first { $0.name == name }?.value
    }

    /// Shows the accounts of the fixtures, as GitHub shows the account that is signed in there.
    private func authorizationPage(_ request: Request, _ visitor: Visitor) throws -> Response {
        let texts = visitor.container.texts()
        _ = try authorizationURL(request.uri.query ?? "")
        let accounts = ["octocat", "haneul-kim", "mockworks"].map { login -> HTML in
            "<button name=\"login\" value=\"\(login)\">\(login)</button>"
        }
        let form: HTML = """
            <form class="authorize" method="post" action="/login/oauth/authorize"><p>\(texts(.authorize))</p>
            <input type="hidden" name="csrf" value="\(formTokens.token(for: visitor.id))">
            <input type="hidden" name="query" value="\(request.uri.query ?? "")">
            \(accounts)<button name="login" value="">\(texts(.deny))</button></form>
            """
        let title = texts(.authorizeTitle)
        let content = PageContent(title: title, parts: [PagePart(.header, header(title)), PagePart(.form, form)])
        return html(content, at: PageAddress(path: ""), id: "", of: visitor, texts)
    }

    private func authorize(_ request: Request, _ context: SiteContext) async throws -> Response {
        let body = try await request.body.collect(upTo: configuration.limits.formBytes)
        let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))
        guard let fields, let gitHub = services.gitHub else { throw HTTPError(.badRequest) }
        guard try await isCurrent(fields, context) else { throw HTTPError(.forbidden) }
        let page = try authorizationURL(fields["query"] ?? "")
        let login = fields["login"] ?? ""
        let callback = try? login.isEmpty ? gitHub.deny(on: page) : gitHub.agree(on: page, as: GitHub.Login(login))
        guard let callback else { throw HTTPError(.badRequest) }
        return .redirect(to: callback.absoluteString, type: .normal)
    }

    /// Returns the address of the page with a query, from which the browser can only go to this site.
    private func authorizationURL(_ query: String) throws -> URL {
        guard query.utf8.count <= PageAddress.lengthLimit,
            let url = URL(string: services.origin.absoluteString + "/login/oauth/authorize?" + query),
            let redirect = services.container.configuration.gitHub.app?.redirect,
            Self.item("redirect_uri", of: url) == redirect.absoluteString
        else { throw HTTPError(.badRequest) }
        return url
    }
}
