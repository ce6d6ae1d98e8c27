import Foundation
import NIOCore

/// The figures of a load, and the bounds that they have to stay within.
struct Report: Sendable {
    /// The most memory of a visitor in megabytes, with an open event stream and ten pages viewed.
    static let memoryBound = 0.5
    /// The most descriptors of a visitor: the event stream's connection.
    static let descriptorBound = 1.5
    /// The most that the slowest percent of the pages may take, as a multiple of the empty handler's.
    static let latencyBound = 25.0

    let start: Usage
    let streaming: Usage
    let end: Usage
    let pages: Latencies
    let handler: Latencies
    /// The time in which the pages were viewed.
    let viewing: Duration
    /// The share of the time that the main actor was busy.
    let mainActor: Double
    /// The mean wait of a page for the main actor, in milliseconds.
    let mainActorWait: Double

    private var ratio: Double { pages.percentile(0.99) / handler.percentile(0.99) }

    private func perVisitor(_ usage: Usage) -> (megabytes: Double, descriptors: Double) {
        let count = Double(Load.visitorCount)
        return (
            Double(usage.memory - start.memory) / 1_000_000 / count,
            Double(usage.descriptors - start.descriptors) / count
        )
    }

    /// The figures as a table.
    var text: String {
        let rows: [(String, String)] = [
            ("Visitors with open streams", "\(Load.visitorCount)"),
            ("Memory per visitor, streams open", Self.number(perVisitor(streaming).megabytes, "MB")),
            ("Memory per visitor, ten more pages viewed", Self.number(perVisitor(end).megabytes, "MB")),
            ("Descriptors per visitor", Self.number(perVisitor(end).descriptors)),
            ("Page views", "\(Load.viewCount), \(Load.connectionCount) at a time"),
            ("Page views per second", Self.number(Double(Load.viewCount) / (viewing / .seconds(1)))),
            ("Page, p50", Self.number(pages.percentile(0.5), "ms")),
            ("Page, p99", Self.number(pages.percentile(0.99), "ms")),
            ("Empty handler, p50", Self.number(handler.percentile(0.5), "ms")),
            ("Empty handler, p99", Self.number(handler.percentile(0.99), "ms")),
            ("Page / empty handler, p99", Self.number(ratio)),
            ("Main actor, busy", Self.number(mainActor * 100, "%")),
            ("Main actor, mean wait of a page", Self.number(mainActorWait, "ms")),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + $0.1 }
            .joined(separator: "\n")
    }

    /// The exceeded bounds, in words.
    var failures: [String] {
        var failures: [String] = []
        let (megabytes, descriptors) = perVisitor(end)
        if megabytes > Self.memoryBound { failures.append("\(megabytes) MB per visitor, bound \(Self.memoryBound)") }
        if descriptors > Self.descriptorBound {
            failures.append("\(descriptors) descriptors per visitor, bound \(Self.descriptorBound)")
        }
        if !(ratio <= Self.latencyBound) { failures.append("p99 ratio \(ratio), bound \(Self.latencyBound)") }
        return failures
    }

    private static func number(_ value: Double, _ unit: String = "") -> String {
        value.formatted(.number.precision(.fractionLength(2)).grouping(.never)) + (unit.isEmpty ? "" : " \(unit)")
    }
}

/// The resources that a process uses.
struct Usage: Sendable {
    /// The resident memory in bytes.
    let memory: Int
    /// The open descriptors.
    let descriptors: Int

    init(of process: ProcessResources) throws {
        memory = try process.memory()
        descriptors = try process.descriptors()
    }
}

/// The figures that the site reports about its main actor.
struct Metrics: Sendable {
    /// The processor time of the main actor.
    let seconds: Double
    /// The number of hops onto it.
    let hops: Double
    /// The sum of the waits for it, in seconds.
    let wait: Double

    /// Reads the metrics of a site.
    init(at address: Address) async throws {
        let response = try await HTTPConnection.open(to: address) { try await $0.get("/metrics") }
        let lines = String(buffer: response.body).split(separator: "\n")
        func value(_ name: String) throws -> Double {
            let value = lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
            guard let value, value.isFinite else { throw LoadError.missingMetric(name) }
            return value
        }
        seconds = try value("browse_main_actor_seconds_total")
        hops = try value("browse_main_actor_hops_total")
        wait = try value("browse_main_actor_wait_seconds_total")
    }
}
