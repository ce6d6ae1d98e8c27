import Foundation
import Hummingbird

extension Site {
    /// Adds the routes for the people who run the site.
    func addMonitoring(to router: Router<SiteContext>) {
        router.get("/health") { _, _ in "OK\n" }
        router.get("/metrics") { [self] _, _ in await metrics() }
    }

    /// The measurements, in the text format of Prometheus.
    private func metrics() async -> String {
        let busy = await MainActor.run { MainActorTime.seconds }
        let pages = visitors.values.reduce(0) { $0 + $1.pages.count }
        return """
            # TYPE browse_visitors gauge
            browse_visitors \(visitors.count)
            # TYPE browse_pages gauge
            browse_pages \(pages)
            # HELP browse_main_actor_seconds_total The processor time of the main actor; its rate is the utilization.
            # TYPE browse_main_actor_seconds_total counter
            browse_main_actor_seconds_total \(busy)

            """
    }
}

/// The work of the main actor, on which all view models run.
@MainActor
enum MainActorTime {
    /// The processor time that the main thread has used, in seconds.
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
