import Hummingbird
import HTTPTypes
import WebSupport

extension Site {
    /// Streams the events of a page to the browser that shows it.
    ///
    /// A browser asks for the events after the one in `Last-Event-ID`, or in the query after it was hidden. If the page was
    /// released, or belongs to somebody else, the only event tells the browser to load it again.
    func events(_ request: Request, _ visitor: Visitor) -> Response {
        let id = request.uri.queryParameters["page"].map(String.init) ?? ""
        let last = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init) ?? ""
        let page = visitor.pages.value(for: id)
        let subscription = page?.feed.subscribe(after: Int(last) ?? -1) ?? EventLog().subscribe(after: -1)
        return EventStream.response(
            to: request,
            streaming: subscription,
            of: visitor.id,
            in: streams,
            heartbeat: configuration.limits.heartbeat,
            clock: configuration.clock
        ) { [visitors] change in
            visitor.pages.use(id, change)
            visitors.use(visitor.id, change)
        }
    }
}

extension HTTPField.Name {
    static let lastEventID = parsed("Last-Event-ID")
}
