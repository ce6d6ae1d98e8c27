import BrowseData
import Foundation
import TestLimits
import Testing

@Suite("Retry-After", .bounded)
struct RetryAfterTests {
    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("060", 60), (" 30 ", 30), ("86400", 86_400), ("86401", 86_400),
            // As Shopify sends them.
            ("2.0", 2), ("1.5", 2), ("86400.5", 86_400),
            ("99999999999999999999", 86_400), (String(repeating: "9", count: 1000), 86_400),
            // As dates (openclaw/clawhub#407, ArjanCodes/moneysnake#24).
            ("1767323135", 90), ("1767323135000", 90), ("1767322955", -90), ("946079999", 86_400),
        ] as [(String, TimeInterval)]
    )
    func `is parsed as seconds from now, or since 1970, a day at most`(header: String, wait: TimeInterval) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == testNow.addingTimeInterval(wait))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Mon, 31 Dec 1990 23:59:60 GMT", 662_688_000),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            // The obsolete forms (go-resty/resty#1220, okta/okta-mobile-kotlin#388).
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Friday, 02-Jan-26 03:05:35 GMT", 1_767_323_135),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Fri, 02 Jan 2026 03:05:35 GMT", 1_767_323_135),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 1_767_409_445),
        ] as [(String, Double)]
    )
    func `is parsed as an HTTP date`(header: String, seconds: Double) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `as a date agrees with the calendar through four hundred years`() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let start = try #require(calendar.date(from: DateComponents(year: 1600, month: 1, day: 1)))
        var wrong: [String] = []
        // A missing leap year would shift all later days.
        for number in stride(from: 0, to: 146_097, by: 13) {
            let date = start.addingTimeInterval(TimeInterval(number) * 86_400 + 85_137)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let (year, month, day) = (try #require(parts.year), try #require(parts.month), try #require(parts.day))
            let text = "Sun, \(two(day)) \(months[month - 1]) \(year) 23:38:57 GMT"
            if RetryAfter.date(["Retry-After": text], now: testNow) != date { wrong.append(text) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [-3_600.0, -2, 0, 2, 3_600])
    func `as a date is relative to the server's clock`(ahead: TimeInterval) {
        // The local time when the server's clock shows `testNow`; the response may have taken two seconds.
        let now = testNow.addingTimeInterval(ahead)
        let headers: HTTPHeaders = [
            "Retry-After": "Fri, 02 Jan 2026 03:05:35 GMT", "Date": "Fri, 02 Jan 2026 03:04:05 GMT",
        ]
        let wait = abs(ahead) > 2 ? 90 : 90 - ahead
        #expect(RetryAfter.date(headers, now: now) == now.addingTimeInterval(wait))
    }

    @Test(arguments: [
        "", " ", "-1", "+1", ".", "1.5.1", "1e3", "0x1F", "nan", "inf", "soon", "12 s", "１２", "2026-01-02T03:05:05Z",
        "Fri, 02 Jan 2026", "{{retry}}", "Fri, 02 Xyz 2026 03:05:05 GMT", "\u{1F600}",
        // Foundation parses some of these as dates.
        "Sun, 12 Nov 1994 08:49e19:37 GMT", "Fri,  2 Jan 2026 03:05:05 GMT", "Fri, 02 Jan 26 03:05:05 GMT",
        "FRI, 02 JAN 2026 03:05:05 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sux, 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:+7 GMT",
        "Sun, ０６ Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-194 08:49:37 GMT", "Sunday, 31-Nov-94 08:49:37 GMT",
        "Sun Nov 31 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun, 06-Nov-94 08:49:37 GMT",
    ])
    func `is nil in any other form`(header: String) {
        #expect(RetryAfter.date(["Retry-After": header], now: testNow) == nil)
    }
}
