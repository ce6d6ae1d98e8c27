#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation

/// Receives a body in one-byte chunks, and reports memory and descriptors.
struct ChunkRun {
    private let mebibytes: Int

    /// - Parameter arguments: The size of the body in MiB.
    init(_ arguments: ArraySlice<String>) throws {
        guard arguments.count == 1, let mebibytes = arguments.first.flatMap({ Int($0) }) else {
            throw TestChild.WrongArguments()
        }
        self.mebibytes = mebibytes
    }

    func run() async throws {
        ProcessMemory.shareHeaps()
        // Ends a run that hangs.
        alarm(UInt32(120 + mebibytes * 30))
        let chunks = Array(String(repeating: "1\r\na\r\n", count: 1024).utf8)
        let server = try LoopbackServer(isRecording: false) { request in
            let mebibytes = Int(request.target.dropFirst()) ?? 0
            return LoopbackResponse(steps: [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .repeated(chunks, count: mebibytes << 10), .text("0\r\n\r\n"),
            ])
        }
        let transport = TestTransport.make()
        // A small run first, so that one-time allocations don't count as growth.
        try await receive(1, from: server, over: transport)
        let usage = ResourceUsage()
        let before = ProcessMemory.resident ?? 0
        try await receive(mebibytes, from: server, over: transport)
        let growth = ((ProcessMemory.peak ?? 0) - before) >> 20
        TestChild.write("peak \(growth) MiB more")
        // A growing body is copied when it's reallocated.
        if growth > 2 * mebibytes + 16 { TestChild.write("wrong: \(growth) MiB for a body of \(mebibytes)") }
        await usage.report()
        TestChild.write("done")
    }

    private func receive(
        _ mebibytes: Int,
        from server: LoopbackServer,
        over transport: any HTTPTransport
    ) async throws {
        guard let url = URL(string: "\(server.origin)/\(mebibytes)") else { throw TestChild.WrongArguments() }
        let limits = HTTPLimits(bodyBytes: mebibytes << 20, duration: .seconds(100_000))
        let response = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits))
        let isRight = response.body.count == mebibytes << 20 && !response.body.contains { $0 != UInt8(ascii: "a") }
        if !isRight { TestChild.write("wrong: received \(response.body.count) bytes") }
    }
}
#endif
