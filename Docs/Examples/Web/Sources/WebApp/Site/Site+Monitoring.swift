import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// Adds the routes for the people who run the site.
    ///
    /// The numbers contain nothing about anybody, but a proxy should serve `/metrics` only to them.
    func addMonitoring(to router: Router<SiteContext>) {
        router.get("/health") { _, _ in "OK\n" }
        router.get("/metrics") { [metrics] _, _ in
            Response(
                status: .ok,
                headers: [.contentType: Metrics.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text))
            )
        }
    }

    /// Returns the numbers of a site.
    static func metrics(
        visitors: Registry<VisitorID, Visitor>,
        connections: ConnectionLimits,
        streams: OpenStreams,
        hops: MainActorHops,
        mainThread: MainThreadTime?
    ) -> Metrics {
        let time = mainThread.map { time in
            Metrics.Reading(
                "browse_main_actor_seconds_total",
                .counter,
                help: "Processor time of the main actor; its rate is the utilization."
            ) { time.seconds }
        }
        let readings: [Metrics.Reading] = [
            .init("browse_visitors", .gauge, help: "Visitors that are remembered.") { Double(visitors.count) },
            .init("browse_pages", .gauge, help: "Open pages, each with a view model.") {
                Double(visitors.values.reduce(0) { $0 + $1.pages.count })
            },
            .init("browse_connections", .gauge, help: "Open connections.") { Double(connections.count) },
            .init("browse_open_streams", .gauge, help: "Open event streams.") { Double(streams.counts.open) },
            .init("browse_streams_total", .counter, help: "Event streams so far.") { Double(streams.counts.opened) },
            .init("browse_replaced_streams_total", .counter, help: "Streams ended in favor of others of a visitor.") {
                Double(streams.counts.replaced)
            },
            .init("browse_dropped_streams_total", .counter, help: "Streams ended because their readers were slow.") {
                Double(streams.counts.dropped)
            },
            .init("browse_refused_streams_total", .counter, help: "Streams beyond the limit.") {
                Double(streams.counts.refused)
            },
            .init("browse_main_actor_hops_total", .counter, help: "Pages that waited for the main actor.") {
                Double(hops.totals.count)
            },
            .init("browse_main_actor_wait_seconds_total", .counter, help: "The sum of these waits.") {
                hops.totals.seconds
            },
        ]
        return Metrics([time].compactMap(\.self) + readings)
    }
}
