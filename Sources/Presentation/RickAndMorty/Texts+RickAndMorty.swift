public import BrowsePresentation
package import BrowseRickAndMortyDomain
import Foundation

// swift-format-ignore
extension Texts.Service {
    /// The Rick and Morty API.
    public static let rickAndMorty: Texts.Service = Texts.Service(
        name: Phrase("rickAndMorty.name", "The Rick and Morty API", ko: "Rick and Morty API"),
        notFound: Phrase("rickAndMorty.notFound", "There’s nothing with this name or number. Check your input.",
            ko: "그런 이름이나 번호가 없습니다. 입력한 내용을 확인하십시오."))
}

// swift-format-ignore
extension Phrase {
    static let noEpisodes = Phrase("character.noEpisodes", "No episodes are known.", ko: "알려진 에피소드가 없습니다.")
    static let noCharacters = Phrase("episode.noCharacters", "No characters are known.", ko: "알려진 등장인물이 없습니다.")
    static let noResidents = Phrase("location.noResidents", "No residents are known.", ko: "알려진 주민이 없습니다.")
    static let status = Phrase("field.status", "Status", ko: "상태")
    static let species = Phrase("field.species", "Species", ko: "종")
    static let type = Phrase("field.type", "Type", ko: "유형")
    static let gender = Phrase("field.gender", "Gender", ko: "성별")
    static let origin = Phrase("field.origin", "Origin", ko: "출신")
    static let lastLocation = Phrase("field.lastLocation", "Last Known Location", ko: "마지막 위치")
    static let code = Phrase("field.code", "Code", ko: "코드")
    static let airDate = Phrase("field.airDate", "Air Date", ko: "방영일")
    static let dimension = Phrase("field.dimension", "Dimension", ko: "차원")
    static let created = Phrase("field.created", "Added", ko: "등록일")

    static let alive = Phrase("status.alive", "Alive", ko: "생존")
    static let dead = Phrase("status.dead", "Dead", ko: "사망")
    static let female = Phrase("gender.female", "Female", ko: "여성")
    static let male = Phrase("gender.male", "Male", ko: "남성")
    static let genderless = Phrase("gender.genderless", "Genderless", ko: "무성")
}

extension Texts {
    /// Returns a character's localized status; a status without a translation stays as the API
    /// sends it.
    package func status(_ status: RickAndMorty.Character.Status?) -> String {
        switch status?.rawValue.lowercased() {
        case "alive": self(.alive)
        case "dead": self(.dead)
        default: value(status?.rawValue)
        }
    }

    /// Returns a character's localized gender; a gender without a translation stays as the API
    /// sends it.
    package func gender(_ gender: RickAndMorty.Character.Gender?) -> String {
        switch gender?.rawValue.lowercased() {
        case "female": self(.female)
        case "male": self(.male)
        case "genderless": self(.genderless)
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
        return formats.calendarDay(date)
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
