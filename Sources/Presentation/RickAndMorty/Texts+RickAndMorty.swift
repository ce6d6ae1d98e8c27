public import BrowseDomain
import Foundation

extension Texts {
    /// Whether a character lives, in words; one that the SDK does not know is said as it came.
    public func status(_ status: RickAndMorty.Character.Status?) -> String {
        switch status {
        case .alive: self(.alive)
        case .dead: self(.dead)
        default: value(status?.rawValue)
        }
    }

    /// The gender of a character in words; one that the SDK does not know is said as it came.
    public func gender(_ gender: RickAndMorty.Character.Gender?) -> String {
        switch gender {
        case .female: self(.female)
        case .male: self(.male)
        case .genderless: self(.genderless)
        default: value(gender?.rawValue)
        }
    }

    /// A text of the API's: what is missing is said to be none, and what the API calls unknown is so in the reader's language.
    func value(_ text: String?) -> String {
        guard let text else { return self(.noValue) }
        return text.lowercased() == "unknown" ? self(.unknown) : text
    }

    /// When the API took something in.
    func created(_ date: Date?) -> String {
        date.map(formats.day) ?? self(.noValue)
    }

    /// The day an episode was first shown, as the reader writes it; one that cannot be read is said as it came.
    ///
    /// It is a day and no moment: it does not move with the reader's clock.
    func airDate(_ text: String?) -> String {
        guard let text, let date = try? Date(text, strategy: Self.airDate) else { return value(text) }
        return Formats(locale: formats.locale, timeZone: .gmt).day(date)
    }

    /// The filter lets nothing pass, or there is nothing at all.
    func nothing(isFiltered: Bool) -> Message {
        isFiltered ? noFilterResults : noRows(.nothing)
    }

    /// `December 2, 2013`.
    private static let airDate = Date.ParseStrategy(
        format: "\(month: .wide) \(day: .defaultDigits), \(year: .defaultDigits)",
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        // A lenient one makes a day of any three numbers.
        isLenient: false
    )
}
