import BrowseKit
import Foundation
import Mustache
import Testing
import WebSupport

@testable import WebApp

@Suite("Templates")
struct TemplateTests {
    @Test("Templates find every property of the values that have a table of names")
    func names() async throws {
        let link = Link(address: "/", title: "Title")
        let image = ImageView(source: "/images/a", width: 1, height: 2, label: "Label")
        let site = try await Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let visitor = await site.visitor(VisitorID())
        let texts = visitor.container.texts()
        let layout = LayoutView(
            PageContent(title: "Title", parts: []),
            at: PageAddress(path: "users"),
            page: "a",
            texts: texts,
            visitor,
            site
        )
        let context = context(of: visitor, at: site)
        let label = try #require(RatingLabel(AppStore.Rating(average: 4.5, count: 2), texts: texts))
        let rating = RatingView(label, in: context)
        let mark = MarkView(.star, isOn: true, label: "Label", count: "1")
        let row = RowView(
            id: "1",
            heading: "Heading",
            title: "Title",
            link: link,
            image: image,
            subtitle: "Subtitle",
            text: "Text",
            facts: Group(["Fact"]),
            rating: rating,
            marks: Group([mark])
        )
        let part = PartView(id: "rows", html: "<li>", style: "list")
        let values: [any MustacheParent] =
            [link, image, mark, rating, row, part, layout] + layout.tabs + layout.languages
            + [Group(["Fact"])].compactMap(\.self)
        for value in values {
            let labels = Mirror(reflecting: value).children.compactMap(\.label)
            for label in labels { #expect(value.child(named: label) != nil, "\(type(of: value)).\(label)") }
            #expect(!labels.isEmpty && value.child(named: "nothing") == nil)
        }
    }

    @Test("A notice has a link if signing in or another page helps")
    func noticeLink() async throws {
        let site = try await Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let context = context(of: await site.visitor(VisitorID()), at: site)
        let page = WebAddress(rawValue: "https://github.com/settings")
        let links: [(Message.Action, String?)] = [(.signIn, "/sign-in"), (.open(page), page.rawValue), (.retry, nil)]
        for (action, address) in links {
            let message = Message(kind: .unauthorized, title: "A", text: "B", action: action, actionTitle: "Sign In")
            let html = site.templates.render("notice", NoticeView(message, in: context))
            let link = html.firstMatch(of: /<a class="button" href="([^"]*)">Sign In</)
            #expect(link.map { String($0.output.1) } == address)
        }
    }

    private func context(of visitor: Visitor, at site: Site) -> PageContext {
        PageContext(
            session: visitor.session,
            container: visitor.container,
            texts: visitor.container.texts(),
            onPolling: {},
            image: site.address(of:)
        )
    }
}
