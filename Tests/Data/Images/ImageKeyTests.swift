import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `An image URL` {
    private func url(_ address: String, side: Int? = nil, allowsLoopback: Bool = false) -> String? {
        ImageRequest(address, side: side).url(sizes: [.gitHubAvatars], allowsLoopback: allowsLoopback)?.absoluteString
    }

    @Test func `is always https`() {
        #expect(url("https://images.example/a.png?v=1") == "https://images.example/a.png?v=1")
        #expect(url("http://images.example/a.png") == "https://images.example/a.png")
        #expect(url("HTTP://images.example:80/a.png") == "https://images.example/a.png")
        #expect(url("http://images.example:8080/a.png") == "https://images.example:8080/a.png")
        #expect(url("images.example/a.png#top") == "https://images.example/a.png")
    }

    @Test func `can be http for loopback hosts only, if allowed`() {
        for address in ["http://127.0.0.1:81/a", "http://localhost/a", "http://[::1]:81/a"] {
            #expect(url(address, allowsLoopback: true) == address)
            #expect(url(address)?.hasPrefix("https://") == true)
        }
        #expect(url("http://127.0.0.1.example/a", allowsLoopback: true) == "https://127.0.0.1.example/a")
    }

    @Test(arguments: [
        "", "ftp://images.example/a", "file:///etc/passwd", "javascript://host/", "https://", "https://me:pw@host/a",
    ])
    func `is nil for other schemes and for URLs with a user name`(_ address: String) {
        #expect(url(address) == nil)
        #expect(url(address, allowsLoopback: true) == nil)
    }

    @Test func `of a GitHub avatar has one of few sizes, no smaller than the displayed one`() {
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        let sides = [1: 64, 64: 64, 65: 128, 200: 256, 257: 460, 460: 460, 9000: 460]
        for (side, requested) in sides { #expect(url(avatar, side: side) == avatar + "&s=\(requested)") }
        #expect(url(avatar) == avatar)
        #expect(url(avatar + "&s=20", side: 100) == avatar + "&s=128")
        #expect(url("https://avatars.githubusercontent.com/u/1?a=%26", side: 1)?.hasSuffix("?a=%26&s=64") == true)
        #expect(url("https://images.example/u/1?s=20", side: 100) == "https://images.example/u/1?s=20")
    }

    @Test func `has the sizes of the first server that matches, in any order`() throws {
        let sizes = [
            ImageSizes(prefix: "https://covers.example/", parameter: "width", sides: [400, 100]),
            ImageSizes(prefix: "https://covers.example/large/", parameter: "w", sides: [9]),
            ImageSizes(prefix: "https://plain.example/", parameter: "w", sides: []),
        ]
        let address = "https://covers.example/large/1?width=3&w=2"
        func size(_ side: Int) -> String? {
            ImageRequest(address, side: side).url(sizes: sizes, allowsLoopback: false)?.query()
        }
        #expect([-1, 100, 101, 401].map(size) == ["w=2&width=100", "w=2&width=100", "w=2&width=400", "w=2&width=400"])
        let plain = ImageRequest("https://plain.example/1?w=2", side: 1)
        #expect(plain.url(sizes: sizes, allowsLoopback: false)?.query() == "w=2")
    }

    @Test func `has no spaces around it`() {
        for address in [
            " https://images.example/a.png", "https://images.example/a.png\n", "\r\n\timages.example/a.png ",
        ] {
            #expect(url(address) == "https://images.example/a.png")
        }
        #expect(url("https://images.example/a\n  b.png") == "https://images.example/a%20%20b.png")
        #expect(url(" \n") == nil)
    }

    @Test func `is escaped where it isn't yet`() {
        for (path, escaped) in [
            ("/150ذهبي%20جديدة.jpg", "/150%D8%B0%D9%87%D8%A8%D9%8A%20%D8%AC%D8%AF%D9%8A%D8%AF%D8%A9.jpg"),
            ("/%EC%82%AC 진.png?a=[1]%26|é#?", "/%EC%82%AC%20%EC%A7%84.png?a=%5B1%5D%26%7C%C3%A9"),
            ("/100%.png?%2", "/100%25.png?%252"), ("/{a}%7b\"^`\\", "/%7Ba%7D%7b%22%5E%60%5C"),
            ("/a+b&c=d;e,f@g:h!$'()*~", "/a+b&c=d;e,f@g:h!$'()*~"),
        ] {
            #expect(url("https://images.example" + path) == "https://images.example" + escaped)
        }
        #expect(url("https://사진.example/%EC%82%AC 진") == "https://xn--vf4bi0o.example/%EC%82%AC%20%EC%A7%84")
        #expect(url("https://[2001:db8::1]/[%20]") == "https://[2001:db8::1]/%5B%20%5D")
    }

    @Test func `has a file name that is unique per image and side`() {
        let letters = String(repeating: "a", count: 300)
        let addresses = [
            "https://images.example/a.png", "https://images.example/A.png", "https://images.example/a_2epng", "", "..",
            "../..", "https://images.example/한글", letters, letters + "a", "https://images.example/?" + letters,
        ]
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        let keys =
            addresses.map { ImageKey(ImageRequest($0)) }
            + [nil, 64, 128].map { ImageKey(ImageRequest(avatar, side: $0), sizes: [.gitHubAvatars]) }
        let names = Set(keys.map { BlobFolder.name(of: $0.text) })
        #expect(names.count == keys.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil })
    }

    @Test func `is the same for all sides that get the same image`() {
        func key(_ address: String, _ side: Int?) -> ImageKey {
            ImageKey(ImageRequest(address, side: side), sizes: [.gitHubAvatars])
        }
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        #expect(key(avatar, 20) == key(avatar, 64))
        #expect(key(avatar, 20) != key(avatar, 65))
        #expect(key(avatar, 20) != key(avatar, nil))
        #expect(key("https://images.example/1", 20) == key("https://images.example/1", nil))
    }

    @Test func `doesn't matter if the request has a key`() {
        func key(_ address: String, _ side: Int?, _ name: String? = "photo 1") -> ImageKey {
            ImageKey(
                ImageRequest(WebAddress(rawValue: address), side: side, cacheKey: name),
                sizes: [.gitHubAvatars]
            )
        }
        #expect(key("https://images.example/1?signature=a", 20) == key("https://images.example/1?signature=b", nil))
        #expect(key("https://images.example/1", 20, "photo 2") != key("https://images.example/1", 20))
        let avatar = "https://avatars.githubusercontent.com/u/1"
        #expect(key(avatar, 20) != key(avatar, 100))
    }
}
