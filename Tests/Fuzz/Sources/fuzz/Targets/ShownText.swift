@testable import BrowseData

/// A text from a server in errors: short, one line, and without words that could be secrets.
@Sendable func shownText(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    for limit in [1, 40, 200] {
        let shown = ShownText.words(text, limit: limit)
        check(shown, limit: limit)
        check(ShownText.words(shown, limit: limit), limit: limit)
    }
}

private func check(_ text: String, limit: Int) {
    require(text.unicodeScalars.count <= limit, "\(text) has \(limit) characters at most")
    require(!text.contains(where: \.isNewline), "\(text) is one line")
    var run = 0
    for byte in text.utf8 {
        let isPart =
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        run = isPart || "-_.+=%\\~".utf8.contains(byte) ? run + 1 : 0
        require(run < 20, "\(text) has no long word")
    }
}
