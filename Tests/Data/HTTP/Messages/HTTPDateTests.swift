import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `An HTTP date` {
    /// Foundation's calendar, which uses other rules before 1582.
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test func `agrees with the calendar through eight hundred years`() throws {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let start = try #require(calendar.date(from: DateComponents(year: 1600, month: 1, day: 1)))
        var wrong: [String] = []
        // A missing leap year would shift all later days.
        for number in stride(from: 0, to: 292_194, by: 13) {
            let date = start.addingTimeInterval(TimeInterval(number) * 86_400 + 85_137)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let (year, month, day) = (try #require(parts.year), try #require(parts.month), try #require(parts.day))
            let text = "Sun, \(two(day)) \(months[month - 1]) \(year) 23:38:57 GMT"
            if HTTPDate.date(text) != date { wrong.append(text) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ]
    )
    func `is parsed to seconds`(text: String, seconds: Double) {
        #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT ",
            "Sun 06 Nov 1994 08:49:37 GMT", "Sux, 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
            "Wed, 29 Feb 1900 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:+7 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func `is nil in any other form`(text: String) {
        #expect(HTTPDate.date(text) == nil)
    }

    @Test func `is nil if any byte is invalid in its position`() {
        let time = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        for place in time.indices {
            for byte in Array("x:,. \0".utf8) where byte != time[place] {
                var wrong = time
                wrong[place] = byte
                #expect(HTTPDate.date(String(decoding: wrong, as: UTF8.self)) == nil, "\(place): \(byte)")
            }
        }
    }
}
