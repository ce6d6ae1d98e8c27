@testable import BrowseData
import BrowseDomain
import Foundation

/// The excerpt of a response in errors: short, one line, and without words that could be secrets.
@Sendable func excerpt(_ input: [UInt8]) {
    let body = Data(input)
    check(Excerpt.make(of: body), limit: 120)
    let text = String(decoding: input, as: UTF8.self)
    for limit in [1, 40, 200] {
        let masked = Excerpt.masking(text, limit: limit)
        check(masked, limit: limit)
        check(Excerpt.masking(masked, limit: limit), limit: limit)
    }
    redaction(text)
    // The same letters as a JSON string value, which is never shown.
    let value = String(text.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic })
    let json = Data("{\"a\": \"\(value)\", \"b\": [\"\(value)\"]}".utf8)
    require(
        value.count < 2 || !Excerpt.make(of: json).contains(value),
        "a value is not shown: \(Excerpt.make(of: json))"
    )
}

/// A known secret, raw and encoded, between arbitrary text.
private func redaction(_ text: String) {
    let secret = "Zq7X/kPm+2Lr=9Tn"
    let redactor = SecretRedactor()
    guard let known = try? Secret(secret) else { return }
    redactor.add(known)
    let encoded = secret.utf8.map { "%" + String(Int($0) + 256, radix: 16).suffix(2) }.joined()
    for form in [secret, encoded, encoded.replacing("%", with: "\\u00"), Data(secret.utf8).base64EncodedString()] {
        for whole in [text + form + text, text + form, form + text] {
            let redacted = redactor.redact(whole)
            require(!redacted.contains(form), "\(form) is masked in \(whole)")
            require(!redacted.contains(String(form.dropFirst(2).dropLast(4))), "\(form) is masked in full in \(whole)")
        }
    }
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
