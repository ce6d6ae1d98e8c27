package import BrowseKit
import Foundation

extension Texts {
    /// Returns the time from now in one unit: "3 minutes ago", "in 12 minutes".
    package func relative(_ date: Date, to now: Date) -> String {
        // Limits dates of wrong clocks and servers.
        let seconds = min(max(date.timeIntervalSince(now), -1e11), 1e11)
        guard abs(seconds) >= 1 else { return self(.now) }
        let length = Duration.seconds(Int64(abs(seconds))).formatted(
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
