import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let png = DrawnImage.png(for: "x", side: 8)
private let html = Data("<html>Sign in</html>".utf8)

extension ScriptedServer.Response {
    fileprivate static func image(_ data: Data = png, type: String = "image/png") -> Self {
        .body(data, headers: ["Content-Type": type])
    }
}

extension RemoteImageViewModel {
    fileprivate var image: EncodedImage? { if case .loaded(let image) = state { image } else { nil } }
    fileprivate var message: Message? { if case .failed(let message) = state { message } else { nil } }
}

@MainActor
@Suite(.bounded)
struct `Reports about images` {
    private let server = ScriptedServer()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "images-\(UUID())")
    private let clock = TestClock()
    private nonisolated static let address = "https://images.example/u/1?v=4"

    /// The container of another start of the app.
    private func container(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server) {
            ($0.cacheFolder, $0.clock) = (folder, clock)
            $0.now = clock.now(from: Date(timeIntervalSince1970: 1_800_000_000))
            change(&$0)
        }
    }

    private func show(_ address: String = address, in container: Container? = nil) async -> RemoteImageViewModel {
        let image = (container ?? self.container()).remoteImageViewModel()
        await image.show(ImageRequest(WebAddress(address)))
        return image
    }

    private func files() -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return all?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath } ?? []
    }

    /// onevcat/Kingfisher#2540, pinterest/PINCache#103, jayesbe/react-native-cacheable-image#5
    @Test(arguments: [
        ["https://t.example.net/57373197@300-1720981878.jpg"],
        ["https://upload.example/" + String(repeating: "%E6%97%A5%E6%9C%AC", count: 40) + ".jpg"],
        ["a", "b"].map { "https://images.example/" + String(repeating: "x", count: 4000) + $0 },
        ["https://images.example/u/1?v=4&s=40", "https://images.example/u/1?v=4&s=460"],
    ])
    func `each address has a file of its own`(addresses: [String]) async {
        server.on(
            .any,
            times: .any,
            response: .computed { .image(DrawnImage.png(for: $0.url.absoluteString, side: 8)) }
        )
        for address in addresses { #expect(await show(address).image != nil) }
        let again = container()
        for address in addresses {
            #expect(await show(address, in: again).image?.data == DrawnImage.png(for: address, side: 8))
        }
        #expect(server.requests.count == addresses.count)
    }

    /// jayesbe/react-native-cacheable-image#5
    @Test func `a fragment is another view of the same image`() async {
        server.on(.any, times: .any, response: .image())
        let all = container()
        for fragment in ["", "#a", "#b"] { #expect(await show(Self.address + fragment, in: all).image != nil) }
        #expect(server.requests.count == 1)
    }

    // kean/Nuke#65, hydrusnetwork/hydrus#1227, bumptech/glide#1840, onevcat/Kingfisher#2153, SDWebImage/SDWebImage#2160,
    // SDWebImage/SDWebImage#1091
    @Test(arguments: [
        ScriptedServer.Response.image(png + Data(count: 50_000)).truncated(after: 20_000),
        .body(png, status: 206, headers: ["Content-Type": "image/png", "Content-Range": "bytes 0-999/5000"]),
        .image(Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + png, type: "image/jpeg"),
        .image(Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), type: "image/svg+xml"),
        .image(Data()), .image(ImageFile.png(0, 0)), .image(ImageFile.png(100, 0)), .status(404),
        .status(406), .image(html, type: "text/html"),
    ])
    func `what isn't a whole image is a placeholder, isn't stored, and is asked for again`(
        answer: ScriptedServer.Response
    ) async {
        server.on(.any, responses: [answer, .image()])
        let image = await show()
        #expect(image.message?.action == .retry && files().isEmpty)
        await image.retry()
        #expect(image.image?.data == png && server.requests.count == 2)
        // whatwg/fetch#1905, kean/Nuke#389
        for request in server.requests {
            #expect(request.headers["Accept"]?.contains("json") == false && request.headers["Range"] == nil)
            #expect(request.headers["Accept-Encoding"] == "identity" && request.headers["Authorization"] == nil)
        }
    }

    /// SDWebImage/SDWebImage#3398
    @Test func `the page of a redirect isn't the image`() async {
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0])
        let headers: HTTPHeaders = ["Content-Type": "text/html", "Location": "/b.jpg"]
        server.on(.get, "/u/1", response: .body(html, status: 302, headers: headers))
        server.on(.get, "/b.jpg", response: .image(jpeg, type: "image/jpeg"))
        #expect(await show().image?.data == jpeg)
    }

    /// Reviewable/Reviewable#770
    @Test func `an avatar behind a sign-in is a placeholder, and isn't asked for by each row`() async {
        server.on(.get, "/u/1", times: .any, response: .redirect(to: "/login?return_to=x"))
        server.on(.get, "/login", times: .any, response: .image(html, type: "text/html"))
        let all = container { $0.gitHub.token = try? Secret("ghp_any_1234567890") }
        for _ in 0..<50 { #expect(await show(in: all).message != nil) }
        #expect(server.requests.count == 2 && files().isEmpty)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    /// onevcat/Kingfisher#803, fluttercandies/extended_image#504
    @Test func `an old picture is confirmed, replaced, and kept without a connection`() async {
        let other = DrawnImage.png(for: "y", side: 8)
        let state = Monitor((picture: png, tag: "\"1\"", failure: ScriptedServer.Response?.none))
        server.on(
            .any,
            times: .any,
            response: .computed { request in
                let (picture, tag, failure) = state.value
                if let failure { return failure }
                guard request.headers["If-None-Match"] != tag else { return .status(304) }
                return .body(picture, headers: ["ETag": tag, "Cache-Control": "max-age=300"])
            }
        )
        let all = container()
        let image = await show(in: all)
        for failure in [ScriptedServer.Response.failure(.notConnectedToInternet), .status(503)] {
            state.withLock { $0.failure = failure }
            await clock.advance(by: .seconds(90_000))
            #expect(await show(in: all).image?.data == png)
            #expect(await show(in: container()).image?.data == png)
        }
        state.withLock { $0 = (other, "\"2\"", nil) }
        await clock.advance(by: .seconds(60))
        #expect(await show(in: container()).image?.data == other)
        await image.reload()
        #expect(image.image?.data == other && server.requests.last?.headers["If-None-Match"] == "\"1\"")
        #expect(await show(in: all).image?.data == other)
    }

    /// mttkay/droid-fu#51, nodeca/probe-image-size#28
    @Test(arguments: ["chunked", "endless", "gzip"]) func `a picture without a length loads, up to the limit`(
        kind: String
    ) async throws {
        let picture = DrawnImage.png(for: "x", side: 64) + Data(count: 30_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"
        let loopback = try LoopbackServer { _ in
            guard kind != "gzip" else {
                let headers = [("Content-Type", "image/png"), ("Content-Encoding", "gzip")]
                return LoopbackResponse(headers: headers, body: Array(Self.gzip(picture)))
            }
            let start = LoopbackResponse.Step.text(head + "Transfer-Encoding: chunked\r\n\r\n")
            let end =
                kind == "endless" ? LoopbackResponse.Step.endless(Self.chunk(Data(count: 9000))) : .text("0\r\n\r\n")
            return LoopbackResponse(steps: [start, .bytes(Self.chunk(picture)), end])
        }
        var configuration = Configuration().with { $0.cacheFolder = folder }
        configuration.imageLimits.request.bodyBytes = 100_000
        configuration.gitHub.url = try #require(URL(string: loopback.origin))
        let all = Container.production(on: HTTPClient.makeTransport(), configuration: configuration)
        let image = await show("\(loopback.origin)/a.png", in: all)
        guard kind == "endless" else {
            #expect(image.image?.data == picture)
            return
        }
        guard case .unusableResponse(.tooLarge, _)? = image.message?.error else {
            Issue.record("\(image.state)")
            return
        }
        await loopback.waitForDisconnect()
    }

    private nonisolated static func chunk(_ bytes: Data) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    /// Data in one stored block (RFC 1951, RFC 1952).
    private nonisolated static func gzip(_ data: Data) -> Data {
        var sum: UInt32 = .max
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        var file = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1])
        let count = UInt16(data.count)
        for half in [count, ~count] { withUnsafeBytes(of: half.littleEndian) { file.append(contentsOf: $0) } }
        file += data
        for word in [~sum, UInt32(data.count)] {
            withUnsafeBytes(of: word.littleEndian) { file.append(contentsOf: $0) }
        }
        return file
    }

    /// all-contributors/allcontributors.org#776
    @Test(arguments: ["?v=4", "?v=4&s=9", "?s=9&v=4#x"]) func `a size is one more query item`(query: String) async {
        server.on(.any, response: .image())
        let image = container().remoteImageViewModel()
        await image.show(ImageRequest(WebAddress("https://avatars.githubusercontent.com/u/1976647\(query)"), side: 100))
        let url = server.requests.first?.url
        #expect(
            url?.query()?.hasPrefix("v=4&s=") == true && url?.fragment() == nil
                && url?.query()?.contains("s=9") == false
        )
    }

    /// povio/PovioKit#377
    @Test func `a new signature of an avatar updates its row, whose picture can stay by a key`() async {
        let service = RowService(Array(1...5))
        let list = await service.followers()
        let row = #"[{"id":1,"login":"u1","type":"User","avatar_url":"https://images.example/u/1?token=2"}]"#
        let before = list.state.content.rows
        service.answer("GET 1", with: .json(row))
        await list.refresh()
        #expect(list.state.content.rows.change(since: before).positions == [[1, 2, 3, 4], [], [], [0]])
        server.on(.any, response: .image())
        let image = container().remoteImageViewModel()
        await image.show(ImageRequest(WebAddress("https://images.example/u/1?token=1"), cacheKey: "u1"))
        image.request = ImageRequest(WebAddress("https://images.example/u/1?token=2"), cacheKey: "u1")
        #expect(image.image?.data == png)
    }

    /// onevcat/Kingfisher#2129, fluttercandies/flutter_photo_manager#1433
    @Test(arguments: [true, false]) func `pictures are stored again after their files were deleted or emptied`(
        isDeleted: Bool
    ) async throws {
        server.on(.any, times: .any, response: .image())
        let all = container()
        _ = await show("https://images.example/0", in: all)
        if isDeleted {
            try FileManager.default.removeItem(at: folder)
        } else {
            for file in files() { try Data().write(to: file) }
        }
        let next = isDeleted ? all : container()
        for number in 0...3 { #expect(await show("https://images.example/\(number)", in: next).image != nil) }
        let sent = server.requests.count
        #expect(sent == (isDeleted ? 4 : 5))
        let again = container()
        for number in 1...3 { #expect(await show("https://images.example/\(number)", in: again).image != nil) }
        #expect(server.requests.count == sent)
    }

    /// onevcat/Kingfisher#532, facebook/fresco#1033
    @Test func `a reused row has its own picture, however often it was canceled`() async throws {
        let isHeld = Monitor(true)
        server.on(
            .any,
            times: .any,
            response: .computed { request in
                if request.url.path() == "/u/1" { await Task { await isHeld.wait { !$0 } }.value }
                return request.url.path() == "/b" ? .status(404) : .image()
            }
        )
        let all = container()
        let image = all.remoteImageViewModel()
        for _ in 0..<300 {
            image.request = ImageRequest(WebAddress(Self.address))
            image.request = nil
        }
        image.request = ImageRequest(WebAddress(Self.address))
        let reused = all.remoteImageViewModel()
        reused.request = ImageRequest(WebAddress(Self.address))
        await reused.show(ImageRequest(WebAddress("https://images.example/b")))
        isHeld.withLock { $0 = false }
        try await waitUntil { image.image != nil }
        #expect(image.image?.data == png && reused.message != nil)
    }

    /// connect1ngdots/AppHtml#39
    @Test(arguments: [
        (#""artworkUrl512":"https://i.example/512.png","artworkUrl60":"https://i.example/60.png""#, true),
        (#""artworkUrl60":"https://i.example/60.png""#, true), (#""price":0"#, false),
    ])
    func `an app without an icon of one size has the next one`(fields: String, hasIcon: Bool) async {
        server.on(.any, times: .any, response: .apps(fields))
        let search = container().appSearchViewModel()
        search.query.text = "tea"
        await search.submit()
        #expect(search.state.content.rows.map(\.name) == ["Tea"])
        #expect((search.state.content.rows.images(around: 0..<1).first != nil) == hasIcon)
        let page = container().appDetailViewModel()
        await page.show(.id(AppStore.AppID(7)))
        #expect(page.state.title == "Tea")
    }

    /// EddieHubCommunity/BioDrop#1113
    @Test func `a limit of the image host is its own, and ends`() async {
        let sent = Monitor(0)
        server.on(.get("/users/octocat/followers"), times: .any, response: .json("[]", headers: .gitHub))
        server.on(
            .any,
            times: .any,
            response: .computed { _ in
                sent.withLock { $0 += 1 }
                return sent.value > 9 && sent.value < 20 ? .status(429, headers: ["Retry-After": "60"]) : .image()
            }
        )
        let all = container()
        var images: [RemoteImageViewModel] = []
        for number in 0..<30 { images.append(await show("https://images.example/\(number)", in: all)) }
        #expect(images.count { $0.image != nil } == 9 && sent.value == 10)
        let list = all.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        #expect(list.state.content.status.message?.kind == .empty && list.state.notice == nil)
        sent.withLock { $0 = 20 }
        await clock.advance(by: .seconds(61))
        for image in images where image.image == nil { await image.showIfNeeded(image.request) }
        #expect(images.allSatisfy { $0.image != nil })
    }
}
