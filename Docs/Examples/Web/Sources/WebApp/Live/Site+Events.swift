import BrowseKit
import HTTPTypes
import Hummingbird
import WebSupport

extension Site {
    /// Streams the events of a page to the browser that shows it.
    ///
    /// A browser asks for the events after the one in the query. If this process doesn't have them, or not even the page, the first
    /// event has the current content. If there is no such page, the only event tells the browser to load it again.
    func events(_ request: Request, _ context: SiteContext) async throws -> Response {
        let visitor = try context.visit.visitor
        func item(_ name: Substring) -> String { request.uri.queryParameters[name].map(String.init) ?? "" }
        let id = item("page")
        let subscription: EventSubscription
        if let open = await openPage(id, at: PageAddress(item("address")), for: visitor) {
            let log = open.feed.log
            if let number = log.number(of: item("after")) {
                subscription = open.feed.subscribe(after: number)
            } else {
                // Before the content, so that no change is missed.
                let number = log.lastID
                let operations = await operations(showing: open.page, for: visitor.id)
                let event = PageFeed.event(operations, id: log.id(of: number))
                subscription = open.feed.subscribe(after: number, first: event?.encoded)
            }
        } else {
            let log = EventLog()
            subscription = log.subscribe(after: 0, first: ServerSentEvent(name: "reset", data: "").encoded)
            log.finish()
        }
        return EventStream.response(
            to: request,
            streaming: subscription,
            of: visitor.id,
            in: streams,
            heartbeat: configuration.limits.heartbeat,
            clock: configuration.clock
        ) { [visitors, weak visitor, key = visitor.id.key] change in
            // A stream doesn't retain its visitor, so it ends when the visitor is forgotten.
            guard let visitor else { return }
            visitor.pages.use(id, change)
            visitors.use(key, change)
        }
    }

    /// Returns the operations that show a page's current content, whatever a browser shows.
    private func operations(showing page: LivePage, for visitor: VisitorID) async -> [PageOperation] {
        let content = await page.content
        let title = PageOperation.title("\(content.title) – \(page.texts(.siteTitle))")
        // The visitor may have another id than when the page was loaded.
        let start = [title, .token(formTokens.token(for: visitor))]
        // A person may be typing in a form, so the others are replaced one by one.
        guard content.parts.contains(where: \.isInput) else { return start + [.main(templates.render(content))] }
        return start + content.parts.filter { !$0.isInput }.map { .part($0.id.rawValue, templates.render($0)) }
    }
}
