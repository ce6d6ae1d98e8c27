/// Parses HTTP dates, such as `Sun, 06 Nov 1994 08:49:37 GMT`, but no obsolete forms.
///
/// Source: RFC 9110, section 5.6.7.
///
/// Foundation's formats accept invalid dates: `08:49e19:37` becomes a year of antiquity.
enum HTTPDate {
    /// Returns seconds since 1970; `nil` unless the text has exactly this form and the day exists.
    ///
    /// The day of the week must exist, but needn't match the date. The result has 64 bits, since `Int` has 32 on some Apple
    /// Watches, which overflows in 2038.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, weekdays.contains(where: bytes[..<3].elementsEqual), contains(bytes, ", ", at: 3),
            let day = number(bytes[5..<7]), contains(bytes, " ", at: 7), contains(bytes, " ", at: 11),
            let year = number(bytes[12..<16]), contains(bytes, " ", at: 16), contains(bytes, " GMT", at: 25),
            let month = months.firstIndex(where: bytes[8..<11].elementsEqual),
            let hour = number(bytes[17..<19]), hour < 24, contains(bytes, ":", at: 19),
            let minute = number(bytes[20..<22]), minute < 60, contains(bytes, ":", at: 22),
            // A leap second is 60.
            let second = number(bytes[23..<25]), second <= 60
        else { return nil }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month]).contains(day) else { return nil }
        let days = daysBefore(year) - daysBefore(1970) + lengths[..<month].reduce(0, +) + day - 1
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { $0.utf8 }
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
