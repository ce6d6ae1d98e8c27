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
    /// The most processor time of a page of 100 users.
    static let listBound = Duration.milliseconds(10)
    /// The most memory of visitors who have left, as a share of what they took.
    static let leftBound = 0.2

    let start: Usage
    let streaming: Usage
    let end: Usage
    let pages: Latencies
    let handler: Latencies
    /// The time in which the pages were viewed.
    let viewing: Duration
    /// The processor time of a page view.
    let processor: Duration
    /// The processor time of a page of 100 users.
    let listProcessor: Duration
    /// The memory of visitors while they're there, and after they have left, in bytes.
    var departure = (taken: 0, left: 0)

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
            ("Processor time of a page", Self.number(processor / .milliseconds(1), "ms")),
            ("Processor time of a page of 100 users", Self.number(listProcessor / .milliseconds(1), "ms")),
            ("Memory of \(Departure.visitorCount) visitors", Self.number(Double(departure.taken) / 1_000_000, "MB")),
            ("Memory after they have left", Self.number(Double(departure.left) / 1_000_000, "MB")),
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
        if listProcessor > Self.listBound { failures.append("\(listProcessor) for 100 users, bound \(Self.listBound)") }
        if Double(departure.left) > Self.leftBound * Double(departure.taken) {
            failures.append("\(departure.left) bytes left of \(departure.taken), bound \(Self.leftBound) of them")
        }
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
