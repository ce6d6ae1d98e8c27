import BrowseDomain
import BrowseGitHubDomain
import BrowseRickAndMortyDomain
@testable import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded) struct `The RickAndMorty texts` {
    @Test(
        arguments: [
            ("December 2, 2013", "Dec 2, 2013", "2013년 12월 2일"), ("June 20, 2021", "Jun 20, 2021", "2021년 6월 20일"),
            ("May 1, 2020", "May 1, 2020", "2020년 5월 1일"), ("soon", "soon", "soon"),
            ("2013-12-02", "2013-12-02", "2013-12-02"), ("unknown", "Unknown", "알 수 없음"), (nil, "None", "없음"),
        ] as [(String?, String, String)]
    )
    func `localize the air date of an episode if it can be parsed`(text: String?, english: String, korean: String) {
        #expect(Texts.english.airDate(text) == english)
        #expect(Texts.korean.airDate(text) == korean)
    }

    @Test(arguments: ["America/Los_Angeles", "Asia/Seoul", "Pacific/Kiritimati"])
    func `show the same air date in every time zone`(zone: String) throws {
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: try #require(TimeZone(identifier: zone)))
        #expect(texts.airDate("December 2, 2013") == "Dec 2, 2013")
    }

    @Test func `translate every status and gender of the API`() {
        typealias Character = RickAndMorty.Character
        #expect(Character.Status.known.map(Texts.english.status) == ["Alive", "Dead", "Unknown"])
        #expect(Character.Status.known.map(Texts.korean.status) == ["생존", "사망", "알 수 없음"])
        #expect(Character.Gender.known.map(Texts.english.gender) == ["Female", "Male", "Genderless", "Unknown"])
        #expect(Character.Gender.known.map(Texts.korean.gender) == ["여성", "남성", "무성", "알 수 없음"])
    }
}
