import BrowseData
import Foundation

/// The cost of decoding bodies that are made to be expensive, of up to the default limit of 8 MiB.
///
/// Each endpoint runs in a separate process. Compared with parsing the text without limits.
enum HostileBodyBenchmarks {
    static let all = [Benchmark(name: "hostile-bodies", rounds: 1, body: bodies)]

    private static let size = HTTPLimits().bodyBytes - 100_000

    /// The cost of one body.
    private struct Cost {
        let endpoint: String
        let body: String
        let seconds: Double
        let bytes: Double
    }

    @concurrent
    private static func bodies(_ run: Run) async throws -> [Comparison] {
        let ours = try HostileEndpoint.all.indices.flatMap { try costs("ours", $0) }
        let bare = try HostileEndpoint.all.indices.flatMap { try costs("bare", $0) }
        func worst(_ quantity: Comparison.Quantity, _ most: Double, _ value: (Cost) -> Double) -> Comparison? {
            guard let index = ours.indices.max(by: { value(ours[$0]) < value(ours[$1]) }) else { return nil }
            let (endpoint, body) = (ours[index].endpoint, ours[index].body)
            return Comparison(
                name: "hostile-bodies: the worst of \(ours.count), “\(body)” for \(endpoint) / unlimited parsing",
                quantity: quantity,
                bound: .most(most),
                pairs: [Comparison.Pair(ours: value(ours[index]), bare: value(bare[index]))]
            )
        }
        return [worst(.cpu, 1, \.seconds), worst(.memory, 64 * 1_048_576, \.bytes)].compactMap(\.self)
    }

    /// Measures all bodies of an endpoint in a new process.
    private static func costs(_ side: String, _ index: Int) throws -> [Cost] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--hostile", side, "\(index)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let costs = text.split(separator: "\n").compactMap { line -> Cost? in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 4, let seconds = Double(fields[2]), let bytes = Double(fields[3]) else { return nil }
            return Cost(endpoint: fields[0], body: fields[1], seconds: seconds, bytes: bytes)
        }
        guard process.terminationStatus == 0, !costs.isEmpty else { throw BenchFailure("\(side) ended with “\(text)”") }
        return costs
    }

    /// Prints the costs of all bodies of an endpoint; runs in the new process.
    @concurrent
    static func child(_ side: String, _ endpoint: HostileEndpoint) async {
        for body in HostileBody.all(in: endpoint.envelope, size: size) {
            let before = residentBytes(isTrimmed: true)
            resetPeakMemory()
            let seconds = await cpuSeconds {
                if side == "ours" {
                    keep(await endpoint.result(of: body.bytes))
                } else {
                    keep(try? JSONDecoder().decode(Anything.self, from: body.bytes))
                }
            }
            let bytes = max(0, peakResidentBytes() - before)
            print(endpoint, body, seconds, bytes, separator: "\t")
        }
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
