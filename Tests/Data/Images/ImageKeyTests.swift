import BrowseDomain
import Foundation
import Testing

@testable import BrowseData

@Suite struct `The address that a picture is asked for at` {
    private func url(_ address: String, side: Int? = nil, allowsLoopback: Bool = false) -> String? {
        ImageKey(ImageRequest(address, side: side)).url(allowsLoopback: allowsLoopback)?.absoluteString
    }

    @Test func `is always of https`() {
        #expect(url("https://images.example/a.png?v=1") == "https://images.example/a.png?v=1")
        #expect(url("http://images.example/a.png") == "https://images.example/a.png")
        #expect(url("HTTP://images.example:80/a.png") == "https://images.example/a.png")
        #expect(url("http://images.example:8080/a.png") == "https://images.example:8080/a.png")
        #expect(url("images.example/a.png#top") == "https://images.example/a.png")
    }

    @Test func `may be of this computer's by http where that is allowed, and no other's`() {
        for address in ["http://127.0.0.1:81/a", "http://localhost/a", "http://[::1]:81/a"] {
            #expect(url(address, allowsLoopback: true) == address)
            #expect(url(address)?.hasPrefix("https://") == true)
        }
        #expect(url("http://127.0.0.1.example/a", allowsLoopback: true) == "https://127.0.0.1.example/a")
    }

    @Test(arguments: [
        "", "ftp://images.example/a", "file:///etc/passwd", "javascript://host/", "https://", "https://me:pw@host/a",
    ])
    func `is none that is no web page's, or that names somebody`(_ address: String) {
        #expect(url(address) == nil)
        #expect(url(address, allowsLoopback: true) == nil)
    }

    @Test func `of a GitHub avatar asks for one of few sizes, no smaller than it is shown`() {
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        let sides = [1: 64, 64: 64, 65: 128, 200: 256, 257: 460, 460: 460, 9000: 460]
        for (wanted, asked) in sides { #expect(url(avatar, side: wanted) == avatar + "&s=\(asked)") }
        #expect(url(avatar) == avatar)
        #expect(url(avatar + "&s=20", side: 100) == avatar + "&s=128")
        #expect(url("https://avatars.githubusercontent.com/u/1?a=%26", side: 1)?.hasSuffix("?a=%26&s=64") == true)
        #expect(url("https://images.example/u/1?s=20", side: 100) == "https://images.example/u/1?s=20")
    }

    @Test func `is the name of a file, one for each picture`() {
        let letters = String(repeating: "a", count: 300)
        let addresses = [
            "https://images.example/a.png", "https://images.example/A.png", "https://images.example/a_2epng", "", "..",
            "../..",
            "https://images.example/한글", letters, letters + "a", "https://images.example/?" + letters,
        ]
        let names = addresses.map { ImageKey(ImageRequest($0)).fileName }
        #expect(Set(names).count == addresses.count)
        #expect(names[0] == "https_3a_2f_2fimages.example_2fa.png_200")
        for name in names {
            #expect(name.wholeMatch(of: /[a-z0-9._-]+/) != nil)
            #expect(name.count <= 200)
        }
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        let sides = [nil, 64, 128].map { ImageKey(ImageRequest(avatar, side: $0)).fileName }
        #expect(Set(sides).count == 3)
    }

    @Test func `is one for all sides that get the same picture`() {
        func key(_ address: String, _ side: Int?) -> ImageKey { ImageKey(ImageRequest(address, side: side)) }
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        #expect(key(avatar, 20) == key(avatar, 64))
        #expect(key(avatar, 20) != key(avatar, 65))
        #expect(key(avatar, 20) != key(avatar, nil))
        #expect(key("https://images.example/1", 20) == key("https://images.example/1", nil))
    }
}
