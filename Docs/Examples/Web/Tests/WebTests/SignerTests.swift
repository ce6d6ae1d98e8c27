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
    func roundTrip(_ text: String) {
        for expiry in [nil, now.addingTimeInterval(1)] {
            let token = signer.sign(text, for: images, until: expiry)
            #expect(signer.value(of: token, for: images, at: now) == text)
            #expect(token.wholeMatch(of: /[-_.A-Za-z0-9]+/) != nil)
        }
    }

    @Test("A signature for one purpose is invalid for another")
    func purposes() {
        let token = signer.sign("7", for: images)
        #expect(signer.value(of: token, for: forms, at: now) == nil)
        // Without the length, the purpose "im" and the payload "age…" would have the same bytes.
        #expect(signer.value(of: token, for: SignaturePurpose("imag"), at: now) == nil)
    }

    @Test("Every changed, missing, or added character makes a signed value invalid")
    func changes() {
        let token = Array(signer.sign("visitor", for: forms, until: now.addingTimeInterval(60)))
        let other = Array("AQgw-_.0129")
        for index in token.indices {
            var shorter = token
            shorter.remove(at: index)
            #expect(signer.value(of: String(shorter), for: forms, at: now) == nil)
            for character in other where character != token[index] {
                var changed = token
                changed[index] = character
                #expect(signer.value(of: String(changed), for: forms, at: now) == nil)
                var longer = token
                longer.insert(character, at: index)
                #expect(signer.value(of: String(longer), for: forms, at: now) == nil)
            }
        }
    }

    @Test("A value expires at its date, not before")
    func expiry() {
        let token = signer.sign("x", for: forms, until: now)
        #expect(signer.value(of: token, for: forms, at: now.addingTimeInterval(-0.001)) == "x")
        #expect(signer.value(of: token, for: forms, at: now) == nil)
    }

    @Test("An expiry can't be removed or moved")
    func movedExpiry() {
        let parts = signer.sign("x", for: forms, until: now).split(separator: ".")
        let later = Int(now.timeIntervalSince1970) + 9
        #expect(signer.value(of: "\(parts[0]).\(later).\(parts[2])", for: forms, at: now) == nil)
        #expect(signer.value(of: "\(parts[0])..\(parts[2])", for: forms, at: now) == nil)
    }

    @Test("The previous key verifies, but doesn't sign")
    func rotation() {
        let (old, new) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let token = Signer(key: old).sign("x", for: forms)
        let rotated = Signer(key: new, previousKey: old)
        #expect(rotated.value(of: token, for: forms, at: now) == "x")
        #expect(Signer(key: new).value(of: rotated.sign("y", for: forms), for: forms, at: now) == "y")
        #expect(Signer(key: new).value(of: token, for: forms, at: now) == nil)
        #expect(Signer().value(of: token, for: forms, at: now) == nil)
    }

    @Test(
        "Text that isn't a signed value is malformed",
        arguments: ["", ".", "*..", "a.b", "a.b.c.d", "é.é.é", "====.."]
    )
    func malformed(_ text: String) {
        #expect(signer.value(of: text, for: forms, at: now) == nil)
    }

    @Test("A long text is refused before it is hashed")
    func long() {
        let token = signer.sign(String(repeating: "x", count: 4096), for: forms)
        #expect(signer.value(of: token, for: forms, at: now) == nil)
    }
}
