import Testing
import WebSupport

@Suite("Addresses from outside")
struct AddressTests {
    let images = ImageAddresses(signer: Signer(), hosts: ["avatars.githubusercontent.com", "*.mzstatic.com"])

    @Test(
        "Images of listed hosts are loaded",
        arguments: [
            "https://avatars.githubusercontent.com/u/1?v=4&s=200", "https://AVATARS.githubusercontent.com/u/1",
            "https://is1-ssl.mzstatic.com/image/a.png", "https://a.b.mzstatic.com",
            "https://avatars.githubusercontent.com",
        ]
    )
    func listed(_ address: String) throws {
        let token = try #require(images.token(for: address, side: 96))
        #expect(images.image(of: token)?.address == address)
        #expect(images.image(of: token)?.side == 96)
        let original = try #require(images.token(for: address))
        #expect(images.image(of: original)?.side == nil)
        #expect(!token.contains("/"))
    }

    static let attacks = [
        // Another host, behind user info or something like it.
        "https://avatars.githubusercontent.com@127.0.0.1/", "https://avatars.githubusercontent.com:x@127.0.0.1/",
        "https://127.0.0.1/@avatars.githubusercontent.com/", "https://127.0.0.1?avatars.githubusercontent.com",
        "https://127.0.0.1#avatars.githubusercontent.com", "https://user@avatars.githubusercontent.com/",
        "https://avatars.githubusercontent.com\\@127.0.0.1/", "https://127.0.0.1\\.avatars.githubusercontent.com/",
        "https://avatars.githubusercontent.com%2f@127.0.0.1/", "https://avatars.githubusercontent.com%00.evil.example/",
        // IP addresses in all notations.
        "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
        "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://127.1/", "https://0/",
        "https://169.254.169.254/latest/meta-data/", "https://[fe80::1%25eth0]/", "https://[fd00::1]/",
        "https://10.0.0.1",
        "https://192.168.1.1/", "https://127.0.0.1.mzstatic.com.evil.example/", "https://①②⑦.⓪.⓪.①/",
        // Names of this machine.
        "https://localhost/", "https://localhost.localdomain/", "https://metadata.google.internal/",
        // Names that look like listed ones.
        "https://avatars.githubusercontent.com./u/1", "https://avatars.githubusercontent.com.evil.example/",
        "https://evil-mzstatic.com/", "https://mzstatic.com/", "https://.mzstatic.com/", "https://a..mzstatic.com/",
        "https://a@b.mzstatic.com/", "https://a:1@b.mzstatic.com/", "https://127.0.0.1:80#.mzstatic.com/",
        "https://аvatars.githubusercontent.com/", "https://avatars。githubusercontent.com/",
        "https://avatars.githubusercontent.com\u{200B}/",
        // Ports and schemes.
        "https://avatars.githubusercontent.com:22/", "https://avatars.githubusercontent.com:443/",
        "https://avatars.githubusercontent.com:/", "http://avatars.githubusercontent.com/",
        "HTTPS://avatars.githubusercontent.com/", "//avatars.githubusercontent.com/", "/etc/passwd",
        "file:///etc/passwd",
        "javascript:alert(1)", "data:image/png;base64,AAAA", "ftp://avatars.githubusercontent.com/",
        "gopher://avatars.githubusercontent.com/", "https:avatars.githubusercontent.com",
        "https:/avatars.githubusercontent.com",
        "https:///avatars.githubusercontent.com", "", "https://", " https://avatars.githubusercontent.com/",
        // Headers, and characters that parsers treat differently.
        "https://avatars.githubusercontent.com/\r\nHost: evil.example", "https://avatars.githubusercontent.com/ x",
        "https://avatars.githubusercontent.com/\u{0}", "https://avatars.githubusercontent.com/#f",
        "https://avatars.githubusercontent.com\t/", "https://avatars.githubusercontent.com/\\..\\x",
        "https://avatars.githubusercontent.com/" + String(repeating: "x", count: 2048),
    ]

    @Test("Images of other hosts aren't loaded, whatever the address looks like", arguments: attacks)
    func attack(_ address: String) {
        #expect(images.token(for: address) == nil)
    }

    @Test("An address that is signed, but no longer listed, isn't loaded")
    func unlisted() throws {
        let signer = Signer()
        let token = try #require(ImageAddresses(signer: signer, hosts: ["a.example"]).token(for: "https://a.example/1"))
        #expect(ImageAddresses(signer: signer, hosts: ["b.example"]).image(of: token) == nil)
    }

    @Test("An address that this server didn't sign isn't loaded")
    func unsigned() throws {
        let address = "https://avatars.githubusercontent.com/u/1"
        let signer = Signer()
        let hosts: HostList = ["avatars.githubusercontent.com"]
        let images = ImageAddresses(signer: signer, hosts: hosts)
        let foreign = try #require(ImageAddresses(signer: Signer(), hosts: hosts).token(for: address))
        let form = FormTokens(signer: signer).token(for: VisitorID())
        for text in ["", address, foreign, form, signer.sign(" " + address, for: SignaturePurpose("form"))] {
            #expect(images.image(of: text) == nil)
        }
    }
}
