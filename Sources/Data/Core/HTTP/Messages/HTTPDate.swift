/// Parses HTTP dates: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two obsolete forms.
///
/// Source: RFC 9110, section 5.6.7.
///
/// Foundation's formats accept invalid dates: `08:49e19:37` becomes a year of antiquity.
enum HTTPDate {
    /// Returns seconds since 1970; `nil` unless the text has exactly one of the forms and the day exists.
    ///
    /// The day of the week must exist, but needn't match the date. The result has 64 bits, since `Int` has 32 on some Apple
    /// Watches, which overflows in 2038.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return current(bytes) ?? asctime(bytes) ?? rfc850(bytes)
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func current(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 29, weekdays.contains(where: bytes[..<3].elementsEqual), contains(bytes, ", ", at: 3),
            let day = number(bytes[5..<7]), contains(bytes, " ", at: 7), contains(bytes, " ", at: 11),
            let year = number(bytes[12..<16]), contains(bytes, " ", at: 16), contains(bytes, " GMT", at: 25)
        else { return nil }
        return seconds(year: year, month: bytes[8..<11], day: day, time: bytes[17..<25])
    }

    /// Parses `Sun Nov  6 08:49:37 1994`, the format of C's `asctime`.
    private static func asctime(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 24, weekdays.contains(where: bytes[..<3].elementsEqual), contains(bytes, " ", at: 3),
            contains(bytes, " ", at: 7), let day = number(bytes[(contains(bytes, " ", at: 8) ? 9 : 8)..<10]),
            contains(bytes, " ", at: 10), contains(bytes, " ", at: 19), let year = number(bytes[20..<24])
        else { return nil }
        return seconds(year: year, month: bytes[4..<7], day: day, time: bytes[11..<19])
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850).
    ///
    /// Years up to 69 are those from 2000 on, as in cookies (RFC 6265, section 5.1.1), which needs no clock.
    private static func rfc850(_ bytes: [UInt8]) -> Int64? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.count == comma + 24,
            longWeekdays.contains(where: bytes[..<comma].elementsEqual), contains(bytes, ", ", at: comma),
            let day = number(bytes[(comma + 2)..<(comma + 4)]), contains(bytes, "-", at: comma + 4),
            contains(bytes, "-", at: comma + 8), let year = number(bytes[(comma + 9)..<(comma + 11)]),
            contains(bytes, " ", at: comma + 11), contains(bytes, " GMT", at: comma + 20)
        else { return nil }
        return seconds(
            year: year + (year < 70 ? 2000 : 1900),
            month: bytes[(comma + 5)..<(comma + 8)],
            day: day,
            time: bytes[(comma + 12)..<(comma + 20)]
        )
    }

    private static func seconds(year: Int, month: ArraySlice<UInt8>, day: Int, time: ArraySlice<UInt8>) -> Int64? {
        let time = Array(time)
        guard let month = months.firstIndex(where: month.elementsEqual),
            let hour = number(time[0..<2]), hour < 24, contains(time, ":", at: 2),
            let minute = number(time[3..<5]), minute < 60, contains(time, ":", at: 5),
            // A leap second is 60.
            let second = number(time[6..<8]), second <= 60
        else { return nil }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month]).contains(day) else { return nil }
        let days = daysBefore(year) - daysBefore(1970) + lengths[..<month].reduce(0, +) + day - 1
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { $0.utf8 }
    private static let longWeekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ].map { $0.utf8 }
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { $0.utf8 }

    private static func contains(_ bytes: [UInt8], _ text: String, at index: Int) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    /// Parses ASCII digits; `nil` if there is any other byte.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The days from year 1 to the start of a year in the proleptic Gregorian calendar, which HTTP uses.
    private static func daysBefore(_ year: Int) -> Int {
        let last = year - 1
        return last * 365 + last / 4 - last / 100 + last / 400
    }
}
