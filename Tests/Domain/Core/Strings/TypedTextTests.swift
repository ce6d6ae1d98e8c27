import BrowseDomain
import Foundation
import TestLimits
import Testing

/// Compares scalars, since Swift's strings compare canonically.
private func isExactly(_ text: String?, _ other: String) -> Bool {
    text?.unicodeScalars.elementsEqual(other.unicodeScalars) == true
}

@Suite(.bounded) struct `Typed text` {
    @Test func `takes the scalars of Unicode's categories for marks`() {
        let scalars = (0..<0x1_0000).compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?)
        let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark, .enclosingMark]
        #expect(scalars.allSatisfy { $0.isMark == marks.contains($0.properties.generalCategory) })
    }

    @Test(arguments: [
        ("swift", "swift"), (" a  b\n", "a  b"), ("a\r\nb\tc", "a b c"), ("a\u{A0}\u{3000}b", "a b"), ("\u{2800}", ""),
        ("\u{1112}\u{1161}\u{11AB}", "한"), ("e\u{200B}\u{301}", "\u{E9}"), ("\u{FEFF}a\u{200E}b\u{2069}", "ab"),
        ("a\u{AD}b\u{200D}c\u{FE0F}", "abc"), (" \u{200B}\u{3164} ", ""), ("한\u{200D}글", "한글"), ("a\u{0}\u{7F}", "a"),
        ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("می\u{200C}خواهم\u{200C}", "می\u{200C}خواهم"),
        ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"), ("葛\u{E0100}", "葛\u{E0100}"),
        ("\u{F8FF}", "\u{F8FF}"), ("“a”", "“a”"), ("1️⃣", "1️⃣"), ("#️⃣", "#️⃣"), ("©️", "©️"), ("®️", "®️"),
        ("👩‍👩‍👧", "👩‍👩‍👧"), ("می‌خواهم", "می‌خواهم"),
    ])
    func `is composed, without invisible characters and white space around it`(typed: String, text: String) {
        #expect(isExactly(TypedText(typed).text, text))
        #expect(TypedText(typed).isEmpty == text.isEmpty)
        #expect(isExactly(TypedText(text).text, text), "twice is the same")
    }

    @Test(arguments: [
        ("ash", "Ash-Kettle", true), ("ASH", "trashpanda7", true), ("ash", "mona", false), ("", "anything", true),
        ("toolong", "too", false), ("é", "CAFÉ", true), ("é", "cafe\u{301}", true), ("ß", "STRASSE", true),
        ("하", "김하늘", true), ("[bot]", "helper[Bot]", true), ("k", "\u{212A}elvin", true), ("cafe", "Café", true),
        ("i", "İ", true), (" ash ", "Ash", true), ("한", "mona", false),
        // Quotes, width, and white space.
        ("Beth’s", "Beth's", true), ("beth's", "BETH´S", true), ("Beth‘s", "Bethʼs", true), ("“a”", "\"A\"", true),
        ("„a“", "«A»", true), ("ｇｏ１", "Go1", true), ("go1", "ＧＯ１", true), ("ｶﾞ", "ガ", true), ("ﬁ", "Finder", true),
        ("a b", "A\u{A0}B", true), ("が", "か", false), ("か", "が", false),
    ])
    func `finds a part regardless of case, accents, width, and quotes`(part: String, text: String, isFound: Bool) {
        #expect(TypedText(part).isPart(of: text) == isFound)
    }

    /// Every state of the field while a person types. On a Korean keyboard, a consonant first ends a syllable.
    @Test(arguments: [
        ("ㅎ 하 한 한ㄱ 한그 한글", "한글"), ("ㅎ 하 한 하느 하늘", "하늘"), ("ㄷ 다 달 닭 달가", "달가"), ("ㄱ 고 과 관", "관"),
        ("ㄱ 가 갑 값", "값싼"), ("ㅇ 으 의 읮 의자", "의자"), ("카 캌 카카 카캉 카카오 카카옽 카카오토 카카오톡", "카카오톡"),
        ("앉 안자", "나는 안자"), ("ㅎㄱ ㅎ글 한ㄱ", "한글"), ("ㅋㅋㅇㅌ", "카카오톡"), ("ㄳ ㄱㅅ", "감사"), ("ﾡ", "가"),
    ])
    func `finds a Korean name while it's composed, and by its initial consonants`(steps: String, name: String) {
        for step in steps.split(separator: " ") {
            for name in [name, "x" + name.lowercased(), name.decomposedForTest] {
                #expect(TypedText(String(step)).isPart(of: name), "\(step) in \(name)")
                #expect(TypedText(String(step).decomposedForTest).isPart(of: name), "\(step) in \(name)")
            }
        }
    }

    @Test(arguments: [
        ("ㄱ", "악"), ("ㄴ", "한"), ("하글", "한글"), ("한", "하"), ("핝", "하늘"), ("ㅏ", "하"),
        ("ㅎㄴ", "한글"), ("가", "까"),
    ])
    func `doesn't find other Korean names`(part: String, name: String) {
        #expect(!TypedText(part).isPart(of: name))
    }

    /// A server chooses the length of a name, and folding makes 18 letters of U+FDFA.
    @Test func `is compared with the beginning of an enormous text`() {
        let text = String(repeating: "\u{FDFA}", count: 400_000) + "zz"
        #expect(!TypedText("zz").isPart(of: text))
        #expect(TypedText("\u{FDFA}").isPart(of: text))
        #expect(TypedText("zz").isPart(of: "\u{FDFA}zz"))
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        #expect(TypedText("e").isPart(of: "e\(marks)") && !TypedText("zz").isPart(of: marks))
        #expect(TypedText("e\(marks)").isPart(of: "e"))
    }

    /// The favorites database filters lowercase titles.
    @Test func `finds the same parts of a text and of its lowercase form`() {
        let letters = (0...0x1_FFFF).compactMap(Unicode.Scalar.init).filter(\.properties.changesWhenLowercased)
        #expect(letters.count > 1000)
        for letter in letters {
            for text in [String(letter), "a\(letter)\u{301}b"] {
                #expect(TypedText(text).isPart(of: text.lowercased()), "\(letter.value)")
                #expect(TypedText(text.lowercased()).isPart(of: text), "\(letter.value)")
            }
        }
    }
}

extension String {
    /// The text as a Mac's file names have it (NFD).
    fileprivate var decomposedForTest: String { decomposedStringWithCanonicalMapping }
}
