import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about stored responses` {
    private let server = ScriptedServer()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "caches-\(UUID())")
    private let time = Monitor(Date.reports)

    /// The container of another start of the app.
    private func container(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server) {
            ($0.cacheFolder, $0.clock, $0.now) = (folder, ImmediateClock(), { [time] in time.value })
            change(&$0)
        }
    }

    private func followers(_ change: (inout Configuration) -> Void = { _ in }) async -> FollowerListViewModel {
        await container(change).followers()
    }

    private var tags: [String?] { server.requests.map { $0.headers["If-None-Match"] } }

    private func answer(_ answers: ScriptedServer.Response...) { server.on(.any, responses: answers) }

    private func users(_ ids: [Int], _ headers: HTTPHeaders = [:]) -> ScriptedServer.Response {
        .rows(ids.map { #"{"id":\#($0),"login":"u\#($0)","type":"User"}"# }, headers: headers)
    }

    private let link = "<https://api.github.com/user/1/followers?page=2>; rel=\"next\""

    /// l2beat/l2beat#12714, abhigyanpatwari/GitNexus#3169
    @Test(arguments: [false, true])
    func `a response that arrives late doesn't replace one that was requested later`(isConfirmation: Bool) async {
        let (gate, sent, first) = (Monitor(false), Monitor(0), isConfirmation ? 1 : 0)
        let (old, new) = (users([1], ["ETag": "\"1\""]), users([1, 2], ["ETag": "\"2\""]))
        server.compute { request in
            let number = sent.withLock { count in
                count += 1
                return count
            }
            guard number > first else { return old }
            switch number - first {
            case 1:
                await gate.wait { $0 }
                return isConfirmation ? .status(304, headers: ["ETag": "\"1\""]) : old
            case 2: return new
            default: return .offline
            }
        }
        if isConfirmation { _ = await followers() }
        time.withLock { $0 += 20 }
        let slow = Task { await followers() }
        await sent.wait { $0 > first }
        time.withLock { $0 += 20 }
        #expect(await followers().ids == [1, 2])
        gate.withLock { $0 = true }
        _ = await slow.value
        #expect(await followers().ids == [1, 2])
    }

    /// notatallshaw/nab#667, erlef/oidcc#538, RestKit/RestKit#2337, LadybirdBrowser/ladybird#11918
    @Test(arguments: [
        ("240", -240.0), ("240, 0", -240), ("99999999999999999999", -2_147_483_648), ("soon", 0), ("-5", 0),
    ])
    func `a shared cache's copy is as old as it says`(age: String, offset: TimeInterval) async {
        answer(users([1], ["ETag": "\"1\"", "Age": age]), .offline)
        _ = await followers()
        #expect(await followers().state.content.provenance == .offline(since: .reports + offset))
    }

    /// basecamp/hey-sdk#200, petauron/vastora#3
    @Test func `a confirmation by the new target of a redirect isn't that of the old one`() async {
        let (target, tag) = (Monitor(1), HTTPHeaders.gitHub(["ETag": "\"v1\""]))
        server.compute { request in
            let path = request.url.path()
            guard path != "/repos/mona/site" else { return .redirect(to: "/repositories/\(target.value)", status: 301) }
            // There is no README.
            guard let id = Int(request.url.lastPathComponent) else { return .status(404, headers: .gitHub) }
            guard request.headers["If-None-Match"] == nil else { return .status(304, headers: tag) }
            return .json(.repo(id), headers: tag)
        }
        for id in [1, 2] {
            target.withLock { $0 = id }
            let page = container().repoDetailViewModel()
            await page.show(named: "site", of: .mona)
            #expect(page.state.row?.repo.id.rawValue == Int64(id))
        }
    }

    /// dotnetcore/EasyCaching#291, breez/spark-sdk#656
    @Test(arguments: [LoadPolicy.freshElseCached, .offline, .cachedFirst])
    func `a stored response that this version can't read counts as none`(policy: LoadPolicy) async throws {
        let isOnline = Monitor(true)
        let old = ScriptedServer.Response.json(#"{"users":[]}"#, headers: .gitHub(["ETag": "\"1\""]))
        server.compute { _ in isOnline.value ? old : .offline }
        let query = [HTTPClient.QueryItem("per_page", "100")]
        let earlier = Endpoint<Int>(.path("/users/octocat/followers"), query: query) { $0.body.count }
        _ = try await container().gitHubClient().send(earlier)
        #expect(!cachedFiles(in: folder).isEmpty)
        isOnline.withLock { $0 = false }
        let list = await followers { $0.loadPolicy = policy }
        #expect(list.state.content.status.message?.kind == .offline && list.state.content.rows.isEmpty)
        #expect(cachedFiles(in: folder).isEmpty)
    }

    /// pasrom/corona-widget-at#15
    @Test(arguments: ["text/html", "application/json"])
    func `a portal's page is no reason to show nothing of what is stored`(type: String) async {
        let portal = ScriptedServer.Response.body(Data("<html>".utf8), headers: ["Content-Type": type]).ofProxy()
        answer(users([1], .gitHub(["ETag": "\"1\""])), portal)
        for provenance in [Provenance.fresh, .offline(since: .reports)] {
            let list = await followers { $0.loadPolicy = .freshElseCached }
            #expect(list.ids == [1] && list.state.content.provenance == provenance)
        }
    }

    /// app-sre/github-mirror#113
    @Test func `a confirmation with a new link has another page`() async {
        let confirmation = ScriptedServer.Response.status(304, headers: ["ETag": "\"1\"", "Link": link])
        answer(users([1, 2], ["ETag": "\"1\""]), confirmation, .offline)
        for hasMore in [false, true, true] { #expect(await followers().state.content.hasMore == hasMore) }
    }

    /// lysine-dev/okhttp#3700, lysine-dev/okhttp#3265, apache/httpcomponents-client#250
    ///
    /// lysine-dev/okhttp#934, lysine-dev/retrofit#3191
    @Test(
        arguments: [
            ["Content-Encoding": "gzip", "Content-Length": "20", "ETag": "W/\"1\""], ["Content-Type": "text/plain"],
            ["Content-Length": "0"], ["Vary": "Accept-Encoding", "ETag": "W/\"1\""],
        ] as [HTTPHeaders]
    )
    func `a confirmation doesn't describe the stored body, and a field of the transport is no reason to miss`(
        fields: HTTPHeaders
    ) async {
        var stored: HTTPHeaders = ["ETag": "W/\"1\"", "Link": link]
        if fields["Vary"] != nil {
            (stored["Vary"], stored["Cache-Control"]) = ("Accept-Encoding, Accept", "max-age=604800")
        }
        let confirmation = ScriptedServer.Response.status(304, headers: fields)
        answer(users([1, 2], stored), confirmation, confirmation, .offline)
        for provenance in [Provenance.fresh, .revalidated, .revalidated, .offline(since: time.value)] {
            let list = await followers()
            #expect(list.ids == [1, 2] && list.state.content.provenance == provenance)
            #expect(list.state.content.hasMore)
        }
        #expect(tags == [nil] + Array(repeating: "W/\"1\"", count: 3))
    }

    /// lysine-dev/okhttp#2815, lysine-dev/okhttp#2500, xdubois-57/scoutmagic#152
    @Test(arguments: ["Fri, 15 Jan 2027 11:00:00 GMT", "Fri, 15 Jan 2027 08:01:30 GMT", "yesterday-ish", nil])
    func `a confirmed response is as old as its confirmation, whatever the server's clock`(date: String?) async {
        var headers: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "max-age=60"]
        headers["Date"] = date
        answer(users([1], headers), .status(304, headers: headers), .offline, .offline)
        _ = await followers()
        time.withLock { $0 += 100 }
        _ = await followers()
        time.withLock { $0 += 30 }
        let list = await followers()
        #expect(list.ids == [1] && list.state.content.provenance == .offline(since: .reports + 100))
        // The device's clock is set back by a day.
        time.withLock { $0 -= 86_400 }
        let early = await followers()
        #expect(early.ids == [1] && early.state.content.age != nil && early.state.content.age?.contains("in ") == false)
        #expect(server.requests.count == 4)
    }

    /// lysine-dev/okhttp#1712, lysine-dev/okhttp#3303, http-tests/cache-tests#72
    @Test(arguments: ["restart", "damage", "other version"])
    func `a validator belongs to the body that is stored`(event: String) async throws {
        let second: HTTPHeaders = ["ETag": "\"2\"", "Cache-Control": "public, must-revalidate, max-age=0"]
        let wrong = ScriptedServer.Response.status(304, headers: ["ETag": "\"1\"", "Link": link])
        let known = ScriptedServer.Response.status(304, headers: ["ETag": "\"2\""])
        let answers = [users([1], ["ETag": "\"1\""]), .status(304, headers: ["ETag": "\"1\""]), users([2, 3], second)]
        let next =
            event == "restart" ? [known] : event == "damage" ? [users([2, 3], second)] : [wrong, users([4], second)]
        server.on(.any, responses: answers + next + [known])
        for _ in answers { _ = await followers() }
        if event == "damage" {
            let file = try #require(cachedFiles(in: folder).first)
            try Data(contentsOf: file).dropLast(40).write(to: file)
        }
        let list = await followers()
        #expect(list.ids == (event == "other version" ? [4] : [2, 3]) && !list.state.content.hasMore)
        _ = await followers()
        let conditions = event == "restart" ? ["\"2\""] : event == "damage" ? [nil] : ["\"2\"", nil]
        #expect(tags == [nil, "\"1\"", "\"1\""] + conditions + ["\"2\""])
    }

    // amule-org/amule#1149, mdn/content#4343, Unleash/unleash-js-sdk#189,
    // integrations/terraform-provider-github#913, AvdLee/appstoreconnect-swift-sdk#236
    @Test(arguments: [#"W/"abc""#, #""a\"b,c""#, "abc", #""""#, #""abc-gzip""#, #""abc""#, #""a", "a""#, ""])
    func `a validator returns as it came unless it's empty, and an equal page changes nothing`(field: String) async {
        let page = users([1], ["ETag": field])
        // A proxy has repeated it.
        let tag = field == #""a", "a""# ? #""a""# : field
        answer(page, page, tag.isEmpty ? page : .status(304, headers: ["ETag": tag]))
        let list = await followers()
        await list.refresh()
        #expect(list.ids == [1] && list.state.content.status == .ready && list.state.content.provenance == .fresh)
        #expect(await followers().ids == [1])
        #expect(tags == (tag.isEmpty ? [nil, nil, nil] : [nil, tag, tag]))
    }

    /// opencrvs/opencrvs-core#12964, artsy/eidolon#258, code-payments/code-android-app#1004
    ///
    /// AFNetworking/AFNetworking#3982
    @Test func `a first start without a network ends at once, and continues when there is one`() async {
        answer(.offline, .offline, users([1]))
        let clock = ImmediateClock()
        let list = await followers { ($0.clock, $0.retries) = (clock, .standard) }
        let message = list.state.content.status.message
        #expect(list.state.content.rows.isEmpty && server.requests.count == 1)
        #expect(message?.kind == .offline && message?.action == .retry)
        #expect(clock.now == ImmediateClock().now)
        await list.showIfNeeded(.followers(of: .octocat))
        await list.retry()
        #expect(list.ids == [1] && list.state.content.status == .ready && server.requests.count == 3)
    }

    /// lysine-dev/okhttp#2450
    @Test(arguments: [true, false])
    func `a signed address has a placeholder, or the picture of its key`(hasKey: Bool) async throws {
        let picture = ScriptedServer.Response.body(DrawnImage.png(for: "x"), headers: ["Content-Type": "image/png"])
        let isOnline = Monitor(true)
        server.compute { _ in isOnline.value ? picture : .offline }
        let images = container { ($0.imageLimits.diskBytes, $0.imageLimits.memoryBytes) = (20_000, 4000) }
        var image = images.remoteImageViewModel()
        for number in 0...100 {
            if number == 100 { isOnline.withLock { $0 = false } }
            let address = WebAddress("https://images.example/u/1?v=4&sig=\(number)")
            image = images.remoteImageViewModel()
            await image.show(ImageRequest(address, cacheKey: hasKey ? "u1" : nil))
        }
        #expect((image.image != nil) == hasKey)
        #expect((image.message?.kind == .offline && image.message?.action == .retry) != hasKey)
        let size = try cachedFiles(in: folder).reduce(0) { try $0 + Data(contentsOf: $1).count }
        #expect(size <= 22_500 && server.requests.count == (hasKey ? 1 : 101))
    }

    /// defold/defold#7034
    @Test(arguments: [true, false], [true, false])
    func `a part of a response is stored nowhere`(hasLength: Bool, isImage: Bool) async throws {
        let body = isImage ? Array(DrawnImage.png(for: "x")) : Array(#"[{"id":1,"login":"a"}]"#.utf8)
        let length = hasLength ? "Content-Length: \(body.count)" : "Transfer-Encoding: chunked"
        let size = hasLength ? "" : "\(String(body.count, radix: 16))\r\n"
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Type: \(isImage ? "image/png" : "application/json")\r\n"
        let (sent, clock) = (Monitor(0), TestClock())
        let loopback = try LoopbackServer { _ in
            let part = Array("\(head)\(length)\r\n\r\n\(size)".utf8) + body.dropLast(4)
            return LoopbackResponse(steps: [.bytes(part), .run { sent.withLock { $0 += 1 } }, .hold])
        }
        func reader(_ policy: LoadPolicy = .cachedFirst) throws -> Container {
            try .reports(loopback, transport: HTTPClient.makeTransport(clock: clock)) {
                ($0.cacheFolder, $0.loadPolicy, $0.clock) = (folder, policy, clock)
            }
        }
        let picture = isImage ? "\(loopback.origin)/a.png" : nil
        for number in 1...2 {
            let all = try reader()
            let load = Task { await message(of: picture, in: all) }
            await sent.wait { $0 == number }
            // Longer than the time limits of requests and images.
            await clock.advance(by: .seconds(60))
            #expect(await load.value?.kind == .timedOut)
        }
        #expect(loopback.requests.count == 2 && !loopback.requests.contains { $0.header("If-None-Match") != nil })
        #expect(try await message(of: picture, in: reader(.offline))?.kind == .offline)
    }

    /// The message of a picture, or else of a list.
    private func message(of picture: String?, in all: Container) async -> Message? {
        if let picture { return await all.image(at: picture).message }
        return await all.followers().state.content.status.message
    }
}
