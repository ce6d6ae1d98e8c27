import Logging
import ServerStores
import ServiceLifecycle

/// What a site runs beside requests.
///
/// It releases the pages that nobody has open, forgets the visitors that have left, and reports stores that fail.
struct Sweeper: Service {
    let site: Site
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown { try? await sweep() }
    }

    private func sweep() async throws {
        let (limits, servers) = (site.configuration.limits, site.configuration.stores.servers)
        let ticksPerMinute = max(1, Int((.seconds(60) / limits.tick).rounded(.up)))
        var (tick, counts) = (0, servers.map { $0.failureCount() })
        while true {
            try await site.configuration.clock.sleep(for: limits.tick)
            await site.sweep()
            if tick.isMultiple(of: 360 * ticksPerMinute) { try? await site.configuration.stores.ids?.deleteExpired() }
            tick += 1
            guard tick.isMultiple(of: ticksPerMinute) else { continue }
            // One line a minute, however many accesses fail.
            for (index, server) in servers.enumerated() {
                let (count, isReady) = (server.failureCount(), await server.isReady())
                if count > counts[index] || !isReady {
                    let failures = "failed \(count - counts[index]) times in the last minute"
                    logger.warning("The \(server.name) store \(failures)\(isReady ? "" : ", and can't be used")")
                }
                counts[index] = count
            }
        }
    }
}
