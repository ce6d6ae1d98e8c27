import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

extension Phrase {
    fileprivate static func shelf(_ name: String, books count: Int) -> Phrase {
        Phrase(
            "books.shelf",
            plural: count,
            one: "One book in “\(name)”",
            "\(count) books in “\(name)”",
            ko: "‘\(name)’에 책 \(count)권"
        )
    }
}

@Suite(.bounded) struct `A phrase` {
    private let french = Texts.Language(rawValue: "fr")

    private func texts(_ locale: String, _ translations: Translation...) -> Texts {
        Texts(locale: Locale(identifier: locale), timeZone: .gmt, translations: translations)
    }

    @Test func `of an app's own is in the reader's language`() {
        #expect(texts("en_US")(.shelf("A", books: 1234)) == "1,234 books in “A”")
        #expect(texts("en_US")(.shelf("A", books: 1)) == "One book in “A”")
        #expect(texts("ko_KR")(.shelf("A", books: 1)) == "‘A’에 책 1권")
        #expect(texts("ko_KR")(Phrase("x", "\(Phrase.retry)!", ko: "\(Phrase.retry)!")) == "다시 시도!")
    }

    @Test func `has integers of any type as the reader writes them, and as the numbers of a plural`() {
        let (views, stars) = (Int64(12_345), UInt8(7))
        let phrase = Phrase("x", "\(views) \(stars)", ko: "\(views) \(stars)")
        #expect(texts("en_US")(phrase) == "12,345 7" && texts("ko_KR")(phrase) == "12,345 7")
        #expect(phrase.numbers == [12_345, 7])
    }

    @Test func `is in a third language where a translation has it`() {
        let templates = [
            "books.shelf": "{1} livres dans «{2}»", "books.shelf.one": "{1} livre dans «{2}»",
            "action.retry": "Réessayer",
        ]
        let texts = texts("fr_FR", Translation(french, templates))
        #expect(texts.language == french)
        // A narrow no-break space is the French separator. Braces in a value stay.
        #expect(texts(.shelf("{1}", books: 12_345)) == "12\u{202F}345 livres dans «{1}»")
        #expect(texts(.shelf("A", books: 1)) == "1 livre dans «A»")
        #expect(texts.message(for: .timedOut(.init(endpoint: "x"))).actionTitle == "Réessayer")
    }

    @Test func `is in the first translation into the language that has it`() {
        let app = Translation(french, ["action.retry": "Réessayer"])
        let package = Translation(french, ["action.retry": "Encore", "books.shelf": "{1} livres dans «{2}»"])
        let texts = texts("fr_FR", app, package)
        #expect(texts(.retry) == "Réessayer")
        #expect(texts(.shelf("A", books: 2)) == "2 livres dans «A»")
    }

    @Test func `is wholly in English where a translation lacks it`() {
        let texts = texts("fr_FR", Translation(french, ["action.retry": "Réessayer"]))
        #expect(texts(.shelf("A", books: 12_345)) == "12,345 books in “A”")
        #expect(texts(.memberSince(Date(timeIntervalSince1970: 1_295_981_076))) == "Member since January 2011")
    }

    @Test func `isn't translated for a reader of another language`() {
        let french = Translation(french, ["action.retry": "Réessayer"])
        #expect(texts("en_US", french)(.retry) == "Try Again")
        #expect(texts("ko_KR", french)(.retry) == "다시 시도")
        #expect(texts("de_DE", french)(.retry) == "Try Again")
    }

    @Test func `can be replaced in English and in Korean`() {
        let english = Translation(.english, ["action.retry": "Once More", "value.count": "{9} {1}"])
        let korean = Translation(.korean) { phrase, texts in
            phrase.id == "books.shelf" ? "\(phrase.numbers) \(phrase.values(in: texts))" : nil
        }
        #expect(texts("en_US", english, korean)(.retry) == "Once More")
        // A placeholder without a value shows as it is.
        #expect(texts("en_US", english, korean)(.count(1234)) == "{9} 1,234")
        #expect(texts("ko_KR", english, korean)(.retry) == "다시 시도")
        #expect(texts("ko_KR", english, korean)(.shelf("A", books: 1234)) == #"[1234] ["1,234", "A"]"#)
    }

    /// The arguments of each phrase's declaration in the sources.
    private static func declarations() throws -> [(id: String, texts: Substring)] {
        let sources = URL(filePath: #filePath).appending(path: "../../../../../Sources/Presentation").standardized
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var declarations: [(String, Substring)] = []
        for file in files?.compactMap({ $0 as? URL }) ?? [] where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            // Comments have samples.
            let lines = code.split(separator: "\n").filter { !$0.contains("///") }.joined(separator: "\n")
            for match in lines.matches(of: /Phrase\(\s*"([a-zA-Z.]+)",[\s\S]*?ko:[^\n]*/) {
                declarations.append((String(match.output.1), match.output.0))
            }
        }
        return declarations
    }

    @Test func `has an id of its own`() throws {
        let ids = try Self.declarations().map(\.id)
        #expect(ids.count > 150)
        let repeated = Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(repeated.isEmpty, "\(repeated.sorted())")
    }

    @Test func `of the SDK has a Korean text`() throws {
        // The text of a declaration without one reaches to that of the next.
        for (id, texts) in try Self.declarations() { #expect(!texts.dropFirst().contains("Phrase("), "\(id)") }
    }

    @Test func `is in the formal polite style in Korean`() throws {
        for (id, texts) in try Self.declarations() {
            let korean = texts[(texts.range(of: "ko:")?.upperBound ?? texts.startIndex)...]
            #expect(!korean.contains(/세요|해요|아요|어요|할까요|그림|글자/), "\(id): \(korean)")
            #expect(korean.contains(/[가-힣]|GitHub|Gist|App|API|\\\(/), "\(id): \(korean)")
        }
    }

    @Test func `has no particle after a value in Korean, since it would depend on the value's last sound`() throws {
        for (id, texts) in try Self.declarations() {
            let korean = texts[(texts.range(of: "ko:")?.upperBound ?? texts.startIndex)...]
            #expect(!korean.contains(/\((으|을|를|은|는|이|가)\)/), "\(id): \(korean)")
            #expect(!korean.contains(/\)[’”]?(으로|로|을|를|은|는|이|가|과|와)[ .]/), "\(id): \(korean)")
        }
    }

    @Test func `names characters that can't be seen`() {
        let english = ["@", " ", "\u{200F}"].map {
            texts("en_US")(.username(.characterNotAllowed($0)))
        }
        #expect(
            english.map { $0.prefix { $0 != "." } } == [
                "A username can’t contain “@”", "A username can’t contain spaces",
                "A username can’t contain the invisible character U+200F",
            ]
        )
        let korean = ["@", " ", "\u{200F}"].map {
            texts("ko_KR")(.username(.characterNotAllowed($0)))
        }
        #expect(
            korean.map { $0.prefix { $0 != "를" } } == [
                "사용자 이름에는 ‘@’ 문자", "사용자 이름에는 공백 문자", "사용자 이름에는 보이지 않는 U+200F 문자",
            ]
        )
    }

    @Test func `is in title case where it is a title or a button`() throws {
        let small: Set<Substring> = ["of", "at", "in", "for", "on", "to", "and", "or", "the", "a", "an", "follows"]
        for (id, texts) in try Self.declarations() where id.hasSuffix(".title") || id.hasPrefix("action.") {
            let english = texts.split(separator: "\"", omittingEmptySubsequences: false)[3]
            let words = english.split(separator: " ").filter { !$0.contains("\\") && !small.contains($0) }
            #expect(words.allSatisfy { $0.first?.isUppercase == true || $0.contains(")") }, "\(id): \(english)")
        }
    }
}

@Suite(.bounded) struct `The end of a wait` {
    /// 2027-01-15 01:01:59 UTC.
    private let end = Date(timeIntervalSince1970: 1_799_974_919)

    private func texts(_ locale: String, now: Date, zone: TimeZone = .gmt) -> Texts {
        Texts(locale: Locale(identifier: locale), timeZone: zone, now: { now })
    }

    private func message(_ texts: Texts) -> Message {
        texts.message(for: .rateLimited(.init(kind: .primary, retryAt: end, isServerTime: true), .init(endpoint: "x")))
    }

    /// The texts without the narrow no-break spaces that some Unicode versions have.
    private func plain(_ text: String?) -> String? {
        text?.replacing("\u{202F}", with: " ")
    }

    @Test func `is rounded up to a full minute`() {
        let english = message(texts("en_US", now: end - 60))
        #expect(plain(english.actionTitle) == "Try Again After 1:02 AM")
        #expect(plain(english.text) == "The server limits the number of requests. Try again after 1:02 AM.")
        #expect(plain(message(texts("ko_KR", now: end - 60)).actionTitle) == "오전 1:02 이후 다시 시도")
        #expect(plain(texts("en_US", now: end - 60).formats.deadline(end + 1)) == "1:02 AM")
        #expect(plain(texts("en_US", now: end - 60).formats.deadline(end + 1.001)) == "1:03 AM")
    }

    @Test func `has its seconds if it's less than a minute away`() {
        let english = message(texts("en_US", now: end - 1.5))
        #expect(plain(english.text) == "The server limits the number of requests. Try again after 1:01:59 AM.")
        #expect(plain(message(texts("ko_KR", now: end - 59)).actionTitle) == "오전 1:01:59 이후 다시 시도")
        #expect(plain(texts("en_US", now: end).formats.deadline(end + 0.001)) == "1:02:00 AM")
    }

    @Test func `names the day if it isn't today`() throws {
        #expect(plain(message(texts("en_US", now: end - 7200)).actionTitle) == "Try Again After Jan 15 at 1:02 AM")
        #expect(plain(message(texts("ko_KR", now: end - 7200)).actionTitle) == "1월 15일 오전 1:02 이후 다시 시도")
        // It's the same day where the reader lives.
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(plain(message(texts("en_US", now: end - 7200, zone: seoul)).actionTitle) == "Try Again After 10:02 AM")
        // 23:59:30 is rounded up to the next day.
        let midnight = texts("en_US", now: end - 7200).formats.deadline(end - 3749)
        #expect(plain(midnight) == "Jan 15 at 12:00 AM")
    }
}
