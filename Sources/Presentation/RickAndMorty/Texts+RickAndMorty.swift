import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain
import Foundation

extension Texts {
    /// Returns a character's localized status; a status without a translation stays as the API sends it.
    public func status(_ status: RickAndMorty.Character.Status?) -> String {
        switch status {
        case .alive: self(.alive)
        case .dead: self(.dead)
        default: value(status?.rawValue)
        }
    }

    /// Returns a character's localized gender; a gender without a translation stays as the API sends it.
    public func gender(_ gender: RickAndMorty.Character.Gender?) -> String {
        switch gender {
        case .female: self(.female)
        case .male: self(.male)
        case .genderless: self(.genderless)
        default: value(gender?.rawValue)
        }
    }

    /// Returns a text of the API, with missing and unknown values localized.
    func value(_ text: String?) -> String {
        guard let text else { return self(.noValue) }
        return text.lowercased() == "unknown" ? self(.unknown) : text
    }

    /// Returns an episode's localized air date. Text in another format stays as it is.
    ///
    /// It is a calendar day, so it doesn't depend on the reader's time zone.
    func airDate(_ text: String?) -> String {
        guard let text, let date = try? Date(text, strategy: Self.airDate) else { return value(text) }
        return Formats(locale: formats.locale, timeZone: .gmt).day(date)
    }

    /// `December 2, 2013`.
    private static let airDate = Date.ParseStrategy(
        format: "\(month: .wide) \(day: .defaultDigits), \(year: .defaultDigits)",
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        // A lenient strategy accepts any three numbers.
        isLenient: false
    )
}
