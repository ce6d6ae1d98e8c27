import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `An image URL` {
    /// The URL at which an image is requested; `nil` if it isn't.
    private func url(
        _ address: String,
        side: Int? = nil,
        sizes: [ImageSizes] = [.gitHubAvatars],
        allowsLoopback: Bool = false
    ) async -> String? {
        let transport = ImageTransport()
        let images = RemoteImageRepository(
            transport: transport,
            folder: nil,
            sizes: sizes,
            userAgent: "Tests",
            allowsLoopback: allowsLoopback
        )
        _ = await images.load(ImageRequest(address, side: side))
        return transport.requests.value.first?.absoluteString
    }

    @Test(arguments: [
        "https://images.example/a.png?v=1": "https://images.example/a.png?v=1",
        "http://images.example/a.png": "https://images.example/a.png",
        "HTTP://images.example:80/a.png": "https://images.example/a.png",
        "http://images.example:8080/a.png": "https://images.example:8080/a.png",
        "images.example/a.png#top": "https://images.example/a.png", "//images.example/a": "https://images.example/a",
        "//images.example:8443/a": "https://images.example:8443/a",
        // Without spaces around it.
        " https://images.example/a.png": "https://images.example/a.png",
        "\r\n\timages.example/a.png ": "https://images.example/a.png",
        "https://images.example/a\n  b.png": "https://images.example/a%20%20b.png",
        // Escaped where it isn't yet.
        "https://images.example/150ذهبي%20جديدة.jpg":
            "https://images.example/150%D8%B0%D9%87%D8%A8%D9%8A%20%D8%AC%D8%AF%D9%8A%D8%AF%D8%A9.jpg",
        "https://images.example/%EC%82%AC 진.png?a=[1]%26|é#?":
            "https://images.example/%EC%82%AC%20%EC%A7%84.png?a=%5B1%5D%26%7C%C3%A9",
        "https://images.example/100%.png?%2": "https://images.example/100%25.png?%252",
        "https://images.example/{a}%7b\"^`\\": "https://images.example/%7Ba%7D%7b%22%5E%60%5C",
        "https://images.example/a+b&c=d;e,f@g:h!$'()*~": "https://images.example/a+b&c=d;e,f@g:h!$'()*~",
        "https://사진.example/%EC%82%AC 진": "https://xn--vf4bi0o.example/%EC%82%AC%20%EC%A7%84",
        "https://[2001:db8::1]/[%20]": "https://[2001:db8::1]/%5B%20%5D",
    ])
    func `is https and escaped`(address: String, expected: String) async {
        #expect(await url(address) == expected)
    }

    @Test func `can be http for loopback hosts only, if allowed`() async {
        for address in ["http://127.0.0.1:81/a", "http://localhost/a", "http://[::1]:81/a"] {
            #expect(await url(address, allowsLoopback: true) == address)
            #expect(await url(address)?.hasPrefix("https://") == true)
        }
        #expect(await url("http://127.0.0.1.example/a", allowsLoopback: true) == "https://127.0.0.1.example/a")
    }

    @Test(arguments: [
        "", " \n", "ftp://images.example/a", "file:///etc/passwd", "javascript://host/", "https://",
        "https://me:pw@host/a",
    ])
    func `isn't requested with another scheme or a user name`(_ address: String) async {
        #expect(await url(address) == nil)
        #expect(await url(address, allowsLoopback: true) == nil)
    }

    @Test func `of a GitHub avatar has one of few sizes, no smaller than the displayed one`() async {
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        let sides = [1: 64, 64: 64, 65: 128, 200: 256, 257: 460, 460: 460, 9000: 460]
        for (side, requested) in sides { #expect(await url(avatar, side: side) == avatar + "&s=\(requested)") }
        #expect(await url(avatar) == avatar)
        #expect(await url(avatar + "&s=20", side: 100) == avatar + "&s=128")
        #expect(await url(avatar.replacing("?", with: "?s=9&") + "#x", side: 100) == avatar + "&s=128")
        #expect(await url("https://avatars.githubusercontent.com/u/1?a=%26", side: 1)?.hasSuffix("?a=%26&s=64") == true)
        #expect(await url("https://images.example/u/1?s=20", side: 100) == "https://images.example/u/1?s=20")
    }

    @Test func `has the sizes of the first server that matches, in any order`() async {
        let sizes = [
            ImageSizes(prefix: "https://covers.example/", parameter: "width", sides: [400, 100]),
            ImageSizes(prefix: "https://covers.example/large/", parameter: "w", sides: [9]),
            ImageSizes(prefix: "https://plain.example/", parameter: "w", sides: []),
        ]
        let address = "https://covers.example/large/1"
        for (side, width) in [-1: 100, 100: 100, 101: 400, 401: 400] {
            #expect(await url(address + "?width=3&w=2", side: side, sizes: sizes) == address + "?w=2&width=\(width)")
        }
        #expect(await url("https://plain.example/1?w=2", side: 1, sizes: sizes) == "https://plain.example/1?w=2")
    }

    @Test func `is the same image for all sides that get it, and for all addresses with a key`() async {
        let images = RemoteImageRepository(
            transport: ImageTransport(),
            folder: nil,
            sizes: [.gitHubAvatars],
            userAgent: "Tests"
        )
        let avatar = "https://avatars.githubusercontent.com/u/1?v=4"
        func request(_ address: String, _ side: Int?, _ key: String? = nil) -> ImageRequest {
            ImageRequest(WebAddress(rawValue: address), side: side, cacheKey: key)
        }
        func isCached(_ address: String, _ side: Int?, _ key: String? = nil) -> Bool {
            images.cachedImage(for: request(address, side, key)) != nil
        }
        _ = await images.load(request(avatar, 20))
        #expect(isCached(avatar, 64) && !isCached(avatar, 65) && !isCached(avatar, nil))
        _ = await images.load(request("https://images.example/1", 20))
        #expect(isCached("https://images.example/1", nil) && isCached("https://images.example/1#a", nil))
        _ = await images.load(request("https://images.example/2?signature=a", 20, "photo 1"))
        #expect(isCached("https://images.example/2?signature=b", nil, "photo 1"))
        #expect(!isCached("https://images.example/2?signature=a", 20, "photo 2"))
        #expect(!isCached("https://images.example/2?signature=a", 20))
        _ = await images.load(request(avatar, 20, "mona"))
        #expect(isCached(avatar, 64, "mona") && !isCached(avatar, 100, "mona"))
    }
}
