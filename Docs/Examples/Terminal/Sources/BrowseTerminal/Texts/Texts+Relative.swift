package import BrowseKit
import Foundation

extension Texts {
    /// Returns the time from now in one unit: "3 minutes ago", "in 12 minutes".
    ///
    /// A time to come is rounded up to a full minute, or second, since the end of a wait mustn't seem too early.
    package func relative(_ date: Date, to now: Date) -> String {
        // Limits dates of wrong clocks and servers.
        let seconds = min(max(date.timeIntervalSince(now), -1e11), 1e11)
        guard abs(seconds) >= 1 else { return self(.now) }
        let unit: TimeInterval = seconds < 60 ? 1 : 60
        let time = seconds < 0 ? -seconds : (seconds / unit).rounded(.up) * unit
        let length = Duration.seconds(Int64(time)).formatted(
            .units(
                allowed: [.days, .hours, .minutes, .seconds],
                width: .wide,
                maximumUnitCount: 1,
                fractionalPart: .hide(rounded: .down)
            )
            .locale(formats.locale)
        )
        return self(seconds < 0 ? .past(length) : .future(length))
    }
}
