#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestSupport

/// Sends requests to a server of mutated responses; reports wrong results, memory, and descriptors.
struct MutationRun {
    private let count: Int
    private let seed: UInt64

    private static let tasks = 16

    /// - Parameter arguments: The number of requests and the seed of the responses.
    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let count = Int(arguments[0]), let seed = UInt64(arguments[1]) else {
            throw TestChild.WrongArguments()
        }
        (self.count, self.seed) = (count, seed)
    }

    func run() async throws {
        ProcessMemory.shareHeaps()
        // Ends a run that hangs.
        alarm(UInt32(120 + count / 20))
        // A small run first, so that one-time allocations don't count as growth.
        try await Self.round(of: max(200, count / 10), seed: seed + 1)
        let usage = ResourceUsage()
        try await Self.round(of: count, seed: seed)
        await usage.report()
        TestChild.write("done")
    }

    /// Sends `count` requests from 16 tasks, each for a different response.
    ///
    /// Responses that break HTTP come from a separate origin, so that they have separate connections. Some have extra bytes that
    /// can arrive after the next request was sent, and HTTP/1.1 clients can't distinguish these from the next response.
    static func round(of count: Int, seed: UInt64) async throws {
        let transport = TestTransport.make()
        let arrivals = Arrivals(count: count)
        let respond = { @Sendable (request: LoopbackServer.Request) in
            let number = Int(request.target.dropFirst())
            guard let number, number < count else { return LoopbackResponse(status: 404) }
            arrivals.add(number)
            return MutatedResponse(number: number, seed: seed).response
        }
        let server = try LoopbackServer(isRecording: false, respond: respond)
        let brokenServer = try LoopbackServer(isRecording: false, respond: respond)
        guard let origin = URL(string: server.origin), let brokenOrigin = URL(string: brokenServer.origin) else {
            throw TestChild.WrongArguments()
        }
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in stride(from: task, to: count, by: tasks) {
                        let response = MutatedResponse(number: number, seed: seed)
                        let call = MutationCall(
                            number: number,
                            seed: seed,
                            origin: response.breaksProtocol ? brokenOrigin : origin,
                            expectation: response.expectation
                        )
                        await call.run(over: transport, tally)
                        let sent = arrivals.of(number)
                        if !call.isSafeToRepeat, sent > 1 { tally.complain("\(number) was sent \(sent) times") }
                    }
                }
            }
        }
        server.stop()
        brokenServer.stop()
        for line in tally.lines { TestChild.write(line) }
    }
}

/// The number of arrivals of each request.
private final class Arrivals: Sendable {
    private let counts: Mutex<[UInt8]>

    init(count: Int) {
        counts = Mutex([UInt8](repeating: 0, count: count))
    }

    func add(_ number: Int) { counts.withLock { $0[number] += 1 } }
    func of(_ number: Int) -> UInt8 { counts.withLock { $0[number] } }
}

/// A request for a mutated response, with its expected result.
private struct MutationCall {
    let number: Int
    let isSafeToRepeat: Bool
    private let request: HTTPClient.Request
    private let expectation: MutatedResponse.Expectation
    private let yields: Int?

    init(number: Int, seed: UInt64, origin: URL, expectation: MutatedResponse.Expectation) {
        var random = SeededGenerator(seed: SeededGenerator.hash("call \(number)", seed: seed))
        self.number = number
        self.expectation = expectation
        isSafeToRepeat = Bool.random(using: &random)
        yields = Int.random(in: 0..<16, using: &random) == 0 ? Int.random(in: 0..<200, using: &random) : nil
        let writes = [HTTPMethod.post, .put, .delete]
        let method = isSafeToRepeat ? .get : writes.randomElement(using: &random) ?? .post
        var duration = Duration.seconds(60)
        if case .timeOut = expectation { duration = .milliseconds(100) }
        request = HTTPClient.Request(
            method: method,
            url: origin.appending(path: "\(number)"),
            body: isSafeToRepeat || method == .delete ? nil : Data("{}".utf8),
            endpoint: "\(method.rawValue) \(number)",
            limits: HTTPLimits(bodyBytes: MutatedResponse.bodyLimit, duration: duration),
            isSafeToRepeat: isSafeToRepeat
        )
    }

    func run(over transport: any HTTPTransport, _ tally: Tally) async {
        let task = Task { [request] () -> Result<HTTPClient.Response, BrowseError> in
            do throws(BrowseError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        if let yields {
            // Cancels at random points of the exchange.
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
        }
        let result = await task.value
        switch result {
        case .success(let response): tally.count("response \(response.status / 100)xx")
        case .failure(let error): tally.count(Tally.name(of: error))
        }
        if !isExpected(result) { tally.complain("\(number): expected \(expectation), got \(result)") }
    }

    private func isExpected(_ result: Result<HTTPClient.Response, BrowseError>) -> Bool {
        if case .failure(.cancelled) = result { return yields != nil }
        return switch (expectation, result) {
        case (.response(let status, let body), .success(let response)):
            response.status == status && Array(response.body) == body
        case (.lost, .failure(.unreachable(.connectionLost, _))): true
        case (.timeOut, .failure(.timedOut)): true
        case (.any, .success(let response)):
            (100..<1000).contains(response.status) && response.body.count <= MutatedResponse.bodyLimit
        case (.any, .failure(let error)): isFailureOfTransport(error)
        default: false
        }
    }

    private func isFailureOfTransport(_ error: BrowseError) -> Bool {
        switch error {
        case .unreachable, .refused, .unusableResponse: true
        default: false
        }
    }
}
#endif
