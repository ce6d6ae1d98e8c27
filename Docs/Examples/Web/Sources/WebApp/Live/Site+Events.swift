import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

extension Site {
    /// Streams the updates of a page to the browser that shows it.
    ///
    /// The first one leads from what the browser shows to the current content. A process that doesn't have the page opens it from its
    /// address.
    func events(_ request: Request, _ context: SiteContext) async throws -> Response {
        let (visitor, visitorID) = try context.visit
        func item(_ name: Substring) -> String { request.uri.queryParameters[name].map(String.init) ?? "" }
        let id = item("page")
        guard let page = await openPage(id, at: PageAddress(item("address")), for: visitor) else {
            throw HTTPError(.notFound)
        }
        let token = formTokens.token(for: visitorID)
        let shown = Mutex((page: ShownPage(), tag: item("shown")))
        let encode: @Sendable (PageContent) async throws -> String? = { [weak self, weak visitor] content in
            // A former cookie, which somebody may have planted, must not show the account.
            guard let self, let visitor, await isCurrent(visitorID, of: visitor) else { throw EventStream.Ended() }
            return shown.withLock { shown in
                var page = shown.page
                let update = page.advance(to: content)
                let tag = page.tag(with: token)
                defer { shown = (page, tag) }
                guard var update else { return nil }
                // The browser knows then that it shows everything.
                guard tag != shown.tag else { return EventStream.event("same", id: tag, "") }
                if shown.page.isEmpty { update.token = token }
                return EventStream.event("update", id: tag, update)
            }
        }
        let contents = page.contents()
        let headers: HTTPFields = [
            // Proxies that compress would otherwise collect events, and so would nginx.
            .contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .connection: "close",
            .parsed("X-Accel-Buffering"): "no",
        ]
        let limits = configuration.limits
        let body = ResponseBody {
            [streams, visitors, clock = configuration.clock, key = visitorID.key, weak visitor] writer in
            let stream = EventStream()
            // A stream doesn't retain its visitor, so it ends when the visitor is forgotten.
            func use(_ change: Int) {
                visitor?.pages.use(id, change)
                visitors.use(key, change)
            }
            streams.add(stream, of: visitorID.rawValue)
            use(1)
            defer {
                // First: the page of a stream that isn't open isn't in use.
                use(-1)
                streams.remove(stream, of: visitorID.rawValue)
            }
            // Only the task of `run` that writes uses it, and that task ends before `run` returns.
            nonisolated(unsafe) var output = writer
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await withGracefulShutdownHandler {
                    try await stream.run(contents, heartbeat: limits.heartbeat, clock: clock, encode: encode) {
                        try await output.write(ByteBuffer(string: $0))
                    }
                } onGracefulShutdown: {
                    stream.end()
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
