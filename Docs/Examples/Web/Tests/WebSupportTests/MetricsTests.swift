import Foundation
import Testing
import WebSupport

@Suite("Metrics")
struct MetricsTests {
    @Test("The text has every number in the format of Prometheus")
    func text() {
        let metrics = Metrics([
            .init("web_visitors", help: "Visitors with a container.") { 3 },
            .init("web_main_thread_seconds_total", help: "Processor time.") { 0.25 },
        ])
        for (status, milliseconds) in [(200, 1), (404, 50), (200, 20_000)] {
            metrics.count(status: status, after: .milliseconds(milliseconds))
        }
        #expect(
            metrics.text == """
                # HELP web_visitors Visitors with a container.
                # TYPE web_visitors gauge
                web_visitors 3
                # HELP web_main_thread_seconds_total Processor time.
                # TYPE web_main_thread_seconds_total counter
                web_main_thread_seconds_total 0.25
                # HELP browse_responses_total Responses by status.
                # TYPE browse_responses_total counter
                browse_responses_total{status="200"} 2
                browse_responses_total{status="404"} 1
                # HELP browse_response_seconds Times until responses began.
                # TYPE browse_response_seconds histogram
                browse_response_seconds_bucket{le="0.005"} 1
                browse_response_seconds_bucket{le="0.025"} 1
                browse_response_seconds_bucket{le="0.1"} 2
                browse_response_seconds_bucket{le="0.5"} 2
                browse_response_seconds_bucket{le="2.5"} 2
                browse_response_seconds_bucket{le="10.0"} 2
                browse_response_seconds_bucket{le="+Inf"} 3
                browse_response_seconds_sum 20.051
                browse_response_seconds_count 3

                """
        )
    }

    @Test("The main thread's time is only measured if that thread runs the main actor")
    @MainActor func mainThread() {
        let time = MainThreadTime()
        #expect((time != nil) == Thread.isMainThread)
        guard let time else { return }
        let start = time.seconds
        var value: UInt64 = 1
        while time.seconds == start { for _ in 0..<10_000 { value = value &* 3 &+ 1 } }
        #expect(value != 0)
    }

    @Test("Each hop onto the main actor adds its wait")
    func hops() async {
        let hops = MainActorHops()
        var last = hops.totals
        for count in 1...3 {
            let isOnMainActor = await hops.run {
                MainActor.assertIsolated()
                return true
            }
            #expect(isOnMainActor && hops.totals.count == count && hops.totals.seconds > last.seconds)
            last = hops.totals
        }
    }
}
