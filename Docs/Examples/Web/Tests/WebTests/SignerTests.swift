import Crypto
import Foundation
import Testing

@testable import WebApp

private let images = SignaturePurpose("image")
private let forms = SignaturePurpose("form")
private let now = Date(timeIntervalSince1970: 1_700_000_000)

@Suite("Signed values")
struct SignerTests {
    let signer = Signer()

    @Test("Any text comes back, in characters that need no escaping", arguments: ["", "a.b.c", "한국어\n\"<>&", "\u{0}"])
    func roundTrip(_ text: String) throws {
        for expiry in [nil, now.addingTimeInterval(1)] {
            let token = signer.sign(text, for: images, until: expiry)
            #expect(try signer.value(of: token, for: images, at: now) == text)
            #expect(token.wholeMatch(of: /[-_.A-Za-z0-9]+/) != nil)
        }
    }

    @Test("A signature for one purpose is invalid for another")
    func purposes() {
        let token = signer.sign("7", for: images)
        #expect(throws: SignatureError.forged) { try signer.value(of: token, for: forms, at: now) }
        // Without the length, the purpose "im" and the payload "age…" would have the same bytes.
        #expect(throws: SignatureError.forged) { try signer.value(of: token, for: SignaturePurpose("imag"), at: now) }
    }

    @Test("Every changed, missing, or added character makes a signed value invalid")
    func changes() throws {
        let token = Array(signer.sign("visitor", for: forms, until: now.addingTimeInterval(60)))
        let other = Array("AQgw-_.0129")
        for index in token.indices {
            var shorter = token
            shorter.remove(at: index)
            #expect(throws: SignatureError.self) { try signer.value(of: String(shorter), for: forms, at: now) }
            for character in other where character != token[index] {
                var changed = token
                changed[index] = character
                #expect(throws: SignatureError.self) { try signer.value(of: String(changed), for: forms, at: now) }
                var longer = token
                longer.insert(character, at: index)
                #expect(throws: SignatureError.self) { try signer.value(of: String(longer), for: forms, at: now) }
            }
        }
    }

    @Test("A value expires at its date, not before")
    func expiry() throws {
        let token = signer.sign("x", for: forms, until: now)
        #expect(try signer.value(of: token, for: forms, at: now.addingTimeInterval(-0.001)) == "x")
        #expect(throws: SignatureError.expired) { try signer.value(of: token, for: forms, at: now) }
    }

    @Test("An expiry can't be removed or moved")
    func movedExpiry() {
        let parts = signer.sign("x", for: forms, until: now).split(separator: ".")
        let later = Int(now.timeIntervalSince1970) + 9
        #expect(throws: SignatureError.forged) {
            try signer.value(of: "\(parts[0]).\(later).\(parts[2])", for: forms, at: now)
        }
        #expect(throws: SignatureError.forged) { try signer.value(of: "\(parts[0])..\(parts[2])", for: forms, at: now) }
    }

    @Test("The previous key verifies, but doesn't sign")
    func rotation() throws {
        let (old, new) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let token = Signer(key: old).sign("x", for: forms)
        let rotated = Signer(key: new, previousKey: old)
        #expect(try rotated.value(of: token, for: forms, at: now) == "x")
        #expect(try Signer(key: new).value(of: rotated.sign("y", for: forms), for: forms, at: now) == "y")
        #expect(throws: SignatureError.forged) { try Signer(key: new).value(of: token, for: forms, at: now) }
        #expect(throws: SignatureError.forged) { try Signer().value(of: token, for: forms, at: now) }
    }

    @Test(
        "Text that isn't a signed value is malformed",
        arguments: ["", ".", "*..", "a.b", "a.b.c.d", "é.é.é", "====.."]
    )
    func malformed(_ text: String) {
        #expect(throws: SignatureError.malformed) { try signer.value(of: text, for: forms, at: now) }
    }

    @Test("A long text is refused before it is hashed")
    func long() {
        let token = signer.sign(String(repeating: "x", count: 4096), for: forms)
        #expect(throws: SignatureError.malformed) { try signer.value(of: token, for: forms, at: now) }
    }
}
