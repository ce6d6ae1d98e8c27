import Testing
import WebSupport

@Suite("Signatures")
struct SignerTests {
    @Test("Signed text is valid for its purpose only")
    func purpose() {
        let signer = Signer()
        let signed = signer.sign("text", for: "image")
        #expect(signer.open(signed, for: "image") == "text")
        #expect(signer.open(signed, for: "cookie") == nil)
    }
}
