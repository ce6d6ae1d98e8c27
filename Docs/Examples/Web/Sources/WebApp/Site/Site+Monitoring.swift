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

    /// Returns the server of `/metrics`, whose numbers contain nothing about anybody.
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
        func count(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) -> Metrics.Reading {
            Metrics.Reading("browse_" + name, help: help) { Double(value()) }
        }
        func seconds(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double) -> Metrics.Reading {
            Metrics.Reading("browse_main_actor_\(name)seconds_total", help: help, value: value)
        }
        let time = mainThread.map { time in
            seconds("", "Processor time of the main actor; its rate is the utilization.") { time.seconds }
        }
        let readings = [
            count("visitors", "Visitors that are remembered.") { visitors.count },
            count("pages", "Open pages, each with a view model.") { visitors.values.reduce(0) { $0 + $1.pages.count } },
            count("connections", "Open connections.") { connections.count },
            count("open_streams", "Open event streams.") { streams.counts.open },
            count("streams_total", "Event streams so far.") { streams.counts.opened },
            count("replaced_streams_total", "Streams ended in favor of others of a visitor.") {
                streams.counts.replaced
            },
            count("dropped_streams_total", "Streams ended because their readers were slow.") { streams.counts.dropped },
            count("refused_streams_total", "Streams beyond the limit.") { streams.counts.refused },
            count("main_actor_hops_total", "Pages that waited for the main actor.") { hops.totals.count },
            seconds("wait_", "The sum of these waits.") { hops.totals.seconds },
        ]
        let failures = servers.map { server in
            count("\(server.name)_failures_total", "Failed accesses to the \(server.name) store.", server.failureCount)
        }
        return Metrics([time].compactMap(\.self) + readings + failures)
    }
}
