import TestLimits
import TestSupport
import Testing

@testable import BrowseDomain
@testable import BrowseGitHubDomain

private func user(_ name: String, _ number: Int64 = 1) -> Favorite {
    Favorite(GitHub.User(id: .init(rawValue: number), login: .init(name)))
}

private func repo(_ name: String, _ number: Int64 = 1) -> Favorite {
    Favorite(GitHub.Repo(id: .init(rawValue: number), name: name, fullName: name))
}

@Suite(.bounded) struct `Section of a name` {
    @Test(arguments: [
        ("ash", FavoriteSectionKey.Kind.letter, "A"), ("Ash", .letter, "A"), ("élan", .letter, "E"),
        ("e\u{301}lan", .letter, "E"), ("J\u{30C}", .letter, "J"), ("\u{301}a", .letter, "A"), ("Øre", .letter, "Ø"),
        ("Ёж", .letter, "Е"), ("йод", .letter, "Й"), ("и\u{301}\u{306}", .letter, "Й"), ("Άρης", .letter, "Α"),
        ("김하늘", .letter, "ㄱ"), ("깨비", .letter, "ㄱ"), ("각", .letter, "ㄱ"), ("힣", .letter, "ㅎ"),
        ("\u{1101}\u{1169}마", .letter, "ㄱ"), ("ㄲ", .letter, "ㄱ"), ("ㅉ", .letter, "ㅈ"), ("ㅏ", .letter, "ㅏ"),
        ("쌍둥이", .letter, "ㅅ"), ("ßtraße", .letter, "S"), ("ǆ", .letter, "ǅ"), ("İzmir", .letter, "I"),
        ("ясень", .letter, "Я"), ("თბილისი", .letter, "თ"), ("ＬＩＮＥ", .letter, "L"), ("ﬁ", .letter, "F"),
        ("نور", .letter, "ن"), ("7seas", .digit, "0–9"), ("0", .digit, "0–9"), ("٣", .digit, "0–9"), ("²", .other, "#"),
        ("-dash", .other, "#"), ("_", .other, "#"), ("🐙", .other, "#"), ("", .other, "#"), (" a", .other, "#"),
        ("[bot]", .other, "#"),
    ])
    func `is the first letter, the digits, or the rest`(name: String, kind: FavoriteSectionKey.Kind, title: String) {
        let section = FavoriteSectionKey(of: name)
        #expect(section.kind == kind)
        #expect(section.title.unicodeScalars.elementsEqual(title.unicodeScalars))
    }

    @Test func `orders letters by Unicode number, then digits, then the rest`() {
        let names = ["-", "9", "z", "A", "é", "김", "ㄱ", "я", "b"]
        let sorted = names.map { user($0) }.sorted { FavoriteSortKey($0) < FavoriteSortKey($1) }
        #expect([FavoriteSection](of: sorted).map(\.title) == ["A", "B", "E", "Z", "Я", "ㄱ", "0–9", "#"])
    }

    @Test func `is the same for composed and decomposed letters`() {
        for (first, second) in [
            ("éclair", "e\u{301}clair"), ("김", "\u{1100}\u{1175}\u{11B7}"), ("\u{8C48}", "\u{F900}"),
        ] {
            #expect(FavoriteSectionKey(of: first) == FavoriteSectionKey(of: second))
        }
        let rows = [user("e\u{301}clair"), user("éclat"), user("ecru"), user("E\u{301}cole")]
        let sorted = rows.sorted { FavoriteSortKey($0) < FavoriteSortKey($1) }
        #expect([FavoriteSection](of: sorted).map(\.positions) == [0..<4])
        #expect(sorted.map(\.title) == ["éclair", "éclat", "École", "ecru"])
    }
}

@Suite(.bounded) struct `Order by name` {
    @Test func `compares section, lowercase name, kind, and number`() {
        let sorted = [
            user("Ash", 3), user("ash", 4), user("ASH", 9), user("ash-b"), user("ashb"), user("b", -5), user("b", 2),
            user("éa"),
            user("0a"), user("9"), user("-"), user("[a"),
        ]
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(FavoriteSortKey(left) < FavoriteSortKey(right))
            #expect(!(FavoriteSortKey(right) < FavoriteSortKey(left)))
        }
        // Kinds are compared by raw value: "repo" comes before "user".
        #expect(FavoriteSortKey(repo("a", 9)) < FavoriteSortKey(user("A", 1)))
        #expect(FavoriteSortKey(user("A")) == FavoriteSortKey(user("a")))
        #expect(FavoriteSortKey(user("A")) == FavoriteSortKey(name: "a", id: user("A").id))
    }

    @Test func `ignores composition, and distinguishes strings that only look equal`() {
        #expect(FavoriteSortKey(user("é")) == FavoriteSortKey(user("e\u{301}")))
        let (left, right) = (FavoriteSortKey(user("é")), FavoriteSortKey(user("е\u{301}")))
        #expect(left != right)
        #expect((left < right) != (right < left))
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(FavoriteSortKey(user("e\(marks)")) == FavoriteSortKey(user("e")))
    }

    private static let alphabet = "aAbBzZ019-_ éÉßİ김ㄱяий\u{306}٣²🐙\u{301}\u{F900}\u{8C48}\u{9000}"

    private static func favorites(_ random: inout SeededGenerator) -> [Favorite] {
        (0..<Int.random(in: 0...60, using: &random)).map { number in
            let name = random.text(of: alphabet, count: 0...4)
            return Bool.random(using: &random) ? user(name, Int64(number)) : repo(name, Int64(number))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func `has the sections found by examining every row`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rows = Self.favorites(&random).sorted { FavoriteSortKey($0) < FavoriteSortKey($1) }

        var expected: [(title: [UInt8], rows: Range<Int>)] = []
        for (index, row) in rows.enumerated() {
            let title = Array(FavoriteSectionKey(of: row.title).title.utf8)
            if let last = expected.last, last.title == title {
                expected[expected.count - 1].rows = last.rows.lowerBound..<(index + 1)
            } else {
                expected.append((title, index..<(index + 1)))
            }
        }
        let sections = [FavoriteSection](of: rows)
        #expect(sections.map { Array($0.title.utf8) } == expected.map(\.title))
        #expect(sections.map(\.positions) == expected.map(\.rows))
        #expect(Set(expected.map(\.title)).count == expected.count)
    }
}

extension [FavoriteSection] {
    fileprivate init(of rows: [Favorite]) { self.init(count: rows.count) { rows[$0].title } }
}
