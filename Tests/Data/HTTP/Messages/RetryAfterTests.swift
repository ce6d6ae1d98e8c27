import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite("Retry-After", .bounded)
struct RetryAfterTests {
    @Test(
        "is parsed as seconds from now",
        arguments: [("0", 0.0), ("1", 1), ("060", 60), (" 30 ", 30), ("86400", 86_400)]
    )
    func seconds(header: String, wait: TimeInterval) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == testNow.addingTimeInterval(wait))
    }

    @Test("is at most a day", arguments: ["86401", "99999999999999999999", String(repeating: "9", count: 1000)])
    func huge(header: String) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == testNow.addingTimeInterval(86_400))
    }

    @Test("is parsed as an HTTP date")
    func dates() {
        let date = RetryAfter.date(["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], now: testNow)
        #expect(date == Date(timeIntervalSince1970: 784_111_777))
        let soon = RetryAfter.date(["Retry-After": "Fri, 02 Jan 2026 03:05:35 GMT"], now: testNow)
        #expect(soon == testNow.addingTimeInterval(90))
        let far = RetryAfter.date(["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], now: testNow)
        #expect(far == testNow.addingTimeInterval(86_400))
    }

    @Test("as a date is relative to the server's clock", arguments: [-3_600.0, -2, 0, 2, 3_600])
    func skew(ahead: TimeInterval) {
        // The local time when the server's clock shows `testNow`; the response may have taken two seconds.
        let now = testNow.addingTimeInterval(ahead)
        let headers: HTTPHeaders = [
            "Retry-After": "Fri, 02 Jan 2026 03:05:35 GMT", "Date": "Fri, 02 Jan 2026 03:04:05 GMT",
        ]
        let wait = abs(ahead) > 2 ? 90 : 90 - ahead
        #expect(RetryAfter.date(headers, now: now) == now.addingTimeInterval(wait))
    }

    @Test(
        "is nil in any other form",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1e3", "0x1F", "nan", "inf", "soon", "12 s", "１２", "2026-01-02T03:05:05Z",
            "Fri, 02 Jan 2026", "{{retry}}", "Fri, 02 Xyz 2026 03:05:05 GMT", "\u{1F600}",
            // Foundation parses each of these as a date.
            "Sun, 12 Nov 1994 08:49e19:37 GMT", "Fri,  2 Jan 2026 03:05:05 GMT", "Fri, 02 Jan 26 03:05:05 GMT",
            "FRI, 02 JAN 2026 03:05:05 GMT",
        ]
    )
    func garbage(header: String) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == nil)
    }
}
