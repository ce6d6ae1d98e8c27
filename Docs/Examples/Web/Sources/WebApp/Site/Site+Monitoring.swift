public import Hummingbird
public import Logging
import NIOCore
import ServerStores
import WebSupport

extension Site {
    /// Adds the routes for load balancers, which may use any name of the host.
    func addHealth(to router: Router<SiteContext>) {
        router.get("/health") { _, _ in "OK\n" }
        router.get("/ready") { [configuration] _, _ in
            let missing = await withTaskGroup(of: String?.self) { group in
                for server in configuration.stores.servers {
                    group.addTask { await server.isReady() ? nil : server.name }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            let text = missing.isEmpty ? "OK\n" : "Not ready: \(missing.sorted().joined(separator: ", "))\n"
            return Response(
                status: missing.isEmpty ? .ok : .serviceUnavailable,
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
    }

    /// The server of the numbers, which contain nothing about anybody, at an address for the people who run the site.
    ///
    /// - Parameters:
    ///   - address: Where the server listens; port 0 is any free one.
    ///   - logger: The log.
    ///   - onRunning: Receives the port.
    public func metricsApplication(
        address: BindAddress,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/metrics") { [metrics] _, _ in
            Response(
                status: .ok,
                headers: [.contentType: Metrics.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text))
            )
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: address),
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    /// Returns the numbers of a site.
    static func metrics(
        visitors: Registry<String, Visitor>,
        connections: ConnectionLimits,
        streams: OpenStreams,
        hops: MainActorHops,
        mainThread: MainThreadTime?,
        servers: [StoreServer]
    ) -> Metrics {
        let time = mainThread.map { time in
            Metrics.Reading(
                "browse_main_actor_seconds_total",
                help: "Processor time of the main actor; its rate is the utilization."
            ) { time.seconds }
        }
        let readings: [Metrics.Reading] = [
            .init("browse_visitors", help: "Visitors that are remembered.") { Double(visitors.count) },
            .init("browse_pages", help: "Open pages, each with a view model.") {
                Double(visitors.values.reduce(0) { $0 + $1.pages.count })
            },
            .init("browse_connections", help: "Open connections.") { Double(connections.count) },
            .init("browse_open_streams", help: "Open event streams.") { Double(streams.counts.open) },
            .init("browse_streams_total", help: "Event streams so far.") { Double(streams.counts.opened) },
            .init("browse_replaced_streams_total", help: "Streams ended in favor of others of a visitor.") {
                Double(streams.counts.replaced)
            },
            .init("browse_dropped_streams_total", help: "Streams ended because their readers were slow.") {
                Double(streams.counts.dropped)
            },
            .init("browse_refused_streams_total", help: "Streams beyond the limit.") {
                Double(streams.counts.refused)
            },
            .init("browse_main_actor_hops_total", help: "Pages that waited for the main actor.") {
                Double(hops.totals.count)
            },
            .init("browse_main_actor_wait_seconds_total", help: "The sum of these waits.") {
                hops.totals.seconds
            },
        ]
        let failures = servers.map { server in
            Metrics.Reading(
                "browse_\(server.name)_failures_total",
                help: "Failed accesses to the \(server.name) store."
            ) { Double(server.failureCount()) }
        }
        return Metrics([time].compactMap(\.self) + readings + failures)
    }
}
