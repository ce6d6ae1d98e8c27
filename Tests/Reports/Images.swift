import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

private let png = DrawnImage.png(for: "x", side: 8)

extension ScriptedServer.Response {
    fileprivate static func image(_ data: Data = png, type: String = "image/png") -> Self {
        .body(data, headers: ["Content-Type": type])
    }
}

/// Files of images that are made by hand; they can't all be decoded.
private enum ImageFile {
    static func png(_ width: UInt32, _ height: UInt32, before chunk: [UInt8] = []) -> Data {
        var data = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8)
        data += chunk + [0, 0, 0, 13] + Array("IHDR".utf8)
        for side in [width, height] { withUnsafeBytes(of: side.bigEndian) { data.append(contentsOf: $0) } }
        data += [8, 6, 0, 0, 0, 0, 0, 0, 0]
        return data
    }

    static let apple: [UInt8] = [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0, 0, 0, 0]

    /// A GIF of frames with a place and a size.
    static func gif(_ screen: [UInt8], _ frames: [[UInt8]], end: [UInt8] = [0x3B]) -> Data {
        var data = Data("GIF89a".utf8)
        data += screen + [0, 0, 0]
        for frame in frames { data += [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C] + frame + [0, 2, 2, 0x44, 1, 0] }
        data += end
        return data
    }

    static let dot: [UInt8] = [0, 0, 0, 0, 1, 0, 1, 0]
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
        .reports(server, clock: clock) {
            $0.cacheFolder = folder
            change(&$0)
        }
    }

    private func show(_ address: String = address, in container: Container? = nil) async -> RemoteImageViewModel {
        await (container ?? self.container()).image(at: address)
    }

    /// cedya77/aiometadata#705, Baseflow/flutter_cached_network_image#484
    @Test(arguments: [401, 403, 404])
    func `a new signature is asked for after the old one was refused`(status: Int) async {
        server.compute { $0.url.query() == "token=2" ? .image() : .status(status) }
        let image = container().remoteImageViewModel()
        for number in 1...2 {
            await image.show(ImageRequest(WebAddress("https://images.example/u/1?token=\(number)"), cacheKey: "u1"))
            #expect((image.image?.data == png) == (number == 2) && server.requests.count == number)
        }
    }

    /// onevcat/Kingfisher#2540, pinterest/PINCache#103, jayesbe/react-native-cacheable-image#5
    @Test(arguments: [
        ["https://t.example.net/57373197@300-1720981878.jpg"],
        ["https://upload.example/" + String(repeating: "%E6%97%A5%E6%9C%AC", count: 40) + ".jpg"],
        ["a", "b"].map { "https://images.example/" + String(repeating: "x", count: 4000) + $0 },
        ["https://images.example/u/1?v=4&s=40", "https://images.example/u/1?v=4&s=460"],
    ])
    func `each address has a file of its own`(addresses: [String]) async {
        server.compute { .image(DrawnImage.png(for: $0.url.absoluteString, side: 8)) }
        for address in addresses { #expect(await show(address).image != nil) }
        let again = container()
        for address in addresses {
            #expect(await show(address, in: again).image?.data == DrawnImage.png(for: address, side: 8))
        }
        #expect(server.requests.count == addresses.count)
    }

    /// SDWebImage/SDWebImageSwiftUI#223, mikedilger/gossip#809
    @Test(arguments: [ScriptedServer.Response.html(), .html(403), .image(Data()), .status(400), .offline, .status(503)])
    func `an old picture stays until the server sends another, or has none`(answer: ScriptedServer.Response) async {
        let state = Monitor(ScriptedServer.Response.image())
        server.compute { _ in state.value }
        let all = container()
        _ = await show(in: all)
        state.withLock { $0 = answer }
        await clock.advance(by: .seconds(90_000))
        let image = await show(in: all)
        #expect(image.image?.data == png)
        await image.reload()
        #expect(image.image?.data == png)
        state.withLock { $0 = .status(404) }
        await clock.advance(by: .seconds(90_000))
        #expect(await show(in: container()).image == nil)
    }

    // kean/Nuke#65, hydrusnetwork/hydrus#1227, bumptech/glide#1840, onevcat/Kingfisher#2153,
    // SDWebImage/SDWebImage#2160, SDWebImage/SDWebImage#1091, whatwg/fetch#1905, kean/Nuke#389
    @Test(arguments: [
        ScriptedServer.Response.image(png + Data(count: 50_000)).truncated(after: 20_000),
        .body(png, status: 206, headers: ["Content-Type": "image/png", "Content-Range": "bytes 0-999/5000"]),
        .image(Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + png, type: "image/jpeg"),
        .image(Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), type: "image/svg+xml"),
        .image(Data()), .image(ImageFile.png(0, 0)), .image(ImageFile.png(100, 0)), .status(404), .status(406), .html(),
    ])
    func `what isn't a whole image is a placeholder, isn't stored, and is asked for again`(
        answer: ScriptedServer.Response
    ) async {
        server.on(.any, responses: [answer, .image()])
        let image = await show()
        #expect(image.message?.action == .retry && cachedFiles(in: folder).isEmpty)
        await image.retry()
        #expect(image.image?.data == png && server.requests.count == 2)
        for request in server.requests {
            #expect(request.headers["Accept"]?.contains("json") == false && request.headers["Range"] == nil)
            #expect(request.headers["Accept-Encoding"] == "identity" && request.headers["Authorization"] == nil)
        }
    }

    /// RFC 9110, section 15.5.8; RFC 6585, section 6
    @Test(arguments: [407, 511])
    func `a network's answer isn't the image host's, and isn't remembered`(status: Int) async {
        server.on(.any, responses: [.status(status), .image()])
        let all = container()
        let error = await show(in: all).message?.error
        if case .unreachable(.intercepted, _)? = error {} else { Issue.record("\(String(describing: error))") }
        #expect(await show(in: all).image?.data == png && server.requests.count == 2)
    }

    /// RFC 9110, section 8.8.3: a tag tells versions of one resource apart.
    @Test func `the tag of a redirect's target confirms no other target`() async {
        let target = Monitor("/a")
        server.compute { request in
            let path = request.url.path()
            guard path != "/u/1" else { return .redirect(to: target.value) }
            guard request.headers["If-None-Match"] == nil else { return .status(304) }
            return .body(DrawnImage.png(for: path, side: 8), headers: ["ETag": "\"1\""])
        }
        for path in ["/a", "/b"] {
            target.withLock { $0 = path }
            #expect(await show().image?.data == DrawnImage.png(for: path, side: 8))
            await clock.advance(by: .seconds(90_000))
        }
        #expect(server.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }

    /// Reviewable/Reviewable#770
    @Test func `an avatar behind a sign-in is a placeholder, and isn't asked for by each row`() async {
        server.on(.get, "/u/1", response: .redirect(to: "/login?return_to=x"))
        server.on(.get, "/login", response: .html())
        let all = container { $0.gitHub.token = try? Secret("ghp_any_1234567890") }
        for _ in 0..<50 { #expect(await show(in: all).message != nil) }
        #expect(server.requests.count == 2 && cachedFiles(in: folder).isEmpty)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    /// ibireme/YYWebImage#185, fuse-open/fuselibs#1356
    @Test func `a picture that mustn't be stored is shown, and leaves no file`() async {
        let headers: HTTPHeaders = ["Cache-Control": "private, No-Store", "ETag": "\"1\""]
        server.compute { request in
            guard request.headers["If-None-Match"] == nil else { return .status(304) }
            return .body(png, headers: headers)
        }
        let all = container()
        let image = await show(in: all)
        #expect(image.image?.data == png && cachedFiles(in: folder).isEmpty)
        #expect(await show(in: all).image?.data == png && server.requests.count == 1)
        await image.reload()
        #expect(image.image?.data == png && server.requests.count == 2 && cachedFiles(in: folder).isEmpty)
        #expect(await show(in: container()).image?.data == png && server.requests.count == 3)
    }

    /// mttkay/droid-fu#51, nodeca/probe-image-size#28
    @Test(arguments: ["chunked", "endless", "gzip"])
    func `a picture without a length loads, up to the limit`(kind: String) async throws {
        let isZipped = kind == "gzip"
        let picture = isZipped ? ImageFile.png(64, 64) : DrawnImage.png(for: "x", side: 64) + Data(count: 30_000)
        let zipped = try #require(Data(base64Encoded: "H4sIAAAAAAACA+sM8HPn5ZLiYmBg4PX0cAkC0g4gzMHGAAEAa3Pc1SEAAAA="))
        let loopback = try LoopbackServer { _ in
            guard !isZipped else {
                let headers = [("Content-Type", "image/png"), ("Content-Encoding", "gzip")]
                return LoopbackResponse(headers: headers, body: Array(zipped))
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n"
            let end: LoopbackResponse.Step =
                kind == "endless" ? .endless(Self.chunk(Data(count: 9000))) : .text("0\r\n\r\n")
            return LoopbackResponse(steps: [.text(head), .bytes(Self.chunk(picture)), end])
        }
        let all = try Container.reports(loopback) { $0.imageLimits.request.bodyBytes = 100_000 }
        let image = await show("\(loopback.origin)/a.png", in: all)
        #expect(kind == "endless" || image.image?.data == picture)
        guard kind == "endless" else { return }
        if case .unusableResponse(.tooLarge, _)? = image.message?.error {} else { Issue.record("\(image.state)") }
        await loopback.waitForDisconnect()
    }

    private nonisolated static func chunk(_ bytes: Data) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
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
    @Test(arguments: [true, false])
    func `pictures are stored again after their files were deleted or emptied`(isDeleted: Bool) async throws {
        server.on(.any, response: .image())
        let all = container()
        _ = await show("https://images.example/0", in: all)
        if isDeleted {
            try FileManager.default.removeItem(at: folder)
        } else {
            for file in cachedFiles(in: folder) { try Data().write(to: file) }
        }
        let next = isDeleted ? all : container()
        for number in 0...3 { #expect(await show("https://images.example/\(number)", in: next).image != nil) }
        let sent = server.requests.count
        #expect(sent == (isDeleted ? 4 : 5))
        let again = container()
        for number in 1...3 { #expect(await show("https://images.example/\(number)", in: again).image != nil) }
        #expect(server.requests.count == sent)
    }

    /// EddieHubCommunity/BioDrop#1113
    @Test func `a limit of the image host is its own, and ends`() async {
        let sent = Monitor(0)
        server.on(.get("/users/octocat/followers"), response: .json("[]", headers: .gitHub))
        server.on(.get("https://other.example/a"), response: .image())
        server.compute { _ in
            sent.withLock { $0 += 1 }
            return sent.value > 9 && sent.value < 20 ? .status(429, headers: ["Retry-After": "60"]) : .image()
        }
        let all = container()
        var images: [RemoteImageViewModel] = []
        for number in 0..<30 { images.append(await show("https://images.example/\(number)", in: all)) }
        #expect(images.count { $0.image != nil } == 9 && sent.value == 10)
        #expect(await show("https://other.example/a", in: all).image != nil)
        let list = await all.followers()
        #expect(list.state.content.status.message?.kind == .empty && list.state.notice == nil)
        sent.withLock { $0 = 20 }
        await clock.advance(by: .seconds(61))
        for image in images where image.image == nil { await image.showIfNeeded(image.request) }
        #expect(images.allSatisfy { $0.image != nil })
    }
    // zhlynn/zsign#397, nothings/stb#1992, SDWebImage/SDWebImage#855, bitbank2/AnimatedGIF#38,
    // golang/go#38854, libvips/libvips#3134
    @Test(arguments: [
        (ImageFile.png(64, 32, before: ImageFile.apple), 64, 32), (ImageFile.png(700, 7000), 700, 7000),
        (ImageFile.png(100, 30_000), 100, 30_000),
        (ImageFile.gif([1, 0, 1, 0], Array(repeating: ImageFile.dot, count: 20_000)), 1, 1),
        (ImageFile.gif([0, 5, 0xD0, 2], [ImageFile.dot], end: [0x3B] + Array(repeating: 0, count: 4096)), 1280, 720),
        (ImageFile.gif([1, 0, 1, 0], [ImageFile.dot, ImageFile.dot], end: [0, 0x3B]), 1, 1),
        (ImageFile.gif([0x3F, 2, 0x20, 3], [ImageFile.dot]).dropLast(5), 575, 800),
        (ImageFile.gif([0, 0, 0, 0], [[1, 0, 2, 0, 3, 0, 4, 0]]), 4, 6),
    ])
    func `unusual files that browsers show are passed on as they are`(data: Data, width: Int, height: Int) async {
        server.on(.any, response: .image(data, type: "image/gif"))
        let (format, size) = (data.first == 0x89 ? ImageFormat.png : .gif, PixelSize(width: width, height: height))
        #expect(await show().state == .loaded(EncodedImage(data: data, format: format, size: size)))
    }

    /// libvips/libvips#2176
    @Test func `a frame that is larger than its screen counts`() async {
        let file = ImageFile.gif([0, 0, 0, 0], [[0xFF, 0x7A, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20]])
        server.on(.any, response: .image(file, type: "image/gif"))
        let image = await show()
        if case .unusableResponse(.tooManyPixels, _)? = image.message?.error {} else { Issue.record("\(image.state)") }
    }
}
