import ServiceLifecycle

/// Releases the pages that nobody has open, and forgets the visitors that have left.
struct Sweeper: Service {
    let site: Site

    func run() async throws {
        let configuration = site.configuration
        try? await cancelWhenGracefulShutdown {
            while true {
                try await configuration.clock.sleep(for: configuration.limits.tick)
                await site.sweep()
            }
        }
    }
}
