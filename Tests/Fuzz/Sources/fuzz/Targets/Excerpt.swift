@testable import BrowseData
import Foundation

/// The little of a reply that errors keep: short, in one line, and without a word that could be a secret.
@Sendable func excerpt(_ input: [UInt8]) {
    let body = Data(input)
    check(Excerpt.make(of: body), limit: 120)
    let text = String(decoding: input, as: UTF8.self)
    for limit in [1, 40, 200] {
        let masked = Excerpt.masking(text, limit: limit)
        check(masked, limit: limit)
        check(Excerpt.masking(masked, limit: limit), limit: limit)
    }
    // The same letters as the value of a text, which is never shown.
    let value = String(text.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic })
    let json = Data("{\"a\": \"\(value)\", \"b\": [\"\(value)\"]}".utf8)
    require(
        value.count < 2 || !Excerpt.make(of: json).contains(value),
        "a value is not shown: \(Excerpt.make(of: json))"
    )
}

private func check(_ excerpt: String, limit: Int) {
    require(excerpt.unicodeScalars.count <= limit, "\(excerpt) has \(limit) characters at most")
    require(!excerpt.contains(where: \.isNewline), "\(excerpt) is one line")
    var run = 0
    for byte in excerpt.utf8 {
        let isPart =
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        run = isPart || "-_.+=".utf8.contains(byte) ? run + 1 : 0
        require(run < 20, "\(excerpt) has no long word")
    }
}
