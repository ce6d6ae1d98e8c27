import Synchronization

/// The numbers of a server, as text for Prometheus (text-based exposition format, version 0.0.4).
public final class Metrics: Sendable {
    /// The type of the response.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A number that is read when the text is created.
    public struct Reading: Sendable {
        let name: String
        let help: String
        let value: @Sendable () -> Double

        /// Creates a reading.
        ///
        /// - Parameters:
        ///   - name: The name, such as `web_open_streams`. It ends with `_total` if the number only grows.
        ///   - help: One line that explains it.
        ///   - value: Returns the current number.
        public init(_ name: String, help: String, value: @escaping @Sendable () -> Double) {
            self.name = name
            self.help = help
            self.value = value
        }

        fileprivate var kind: String { name.hasSuffix("_total") ? "counter" : "gauge" }
    }

    private struct Responses {
        var statuses: [Int: Int] = [:]
        var seconds = 0.0
        /// The number of responses within each bound.
        var counts = [Int](repeating: 0, count: Metrics.bounds.count)
    }

    /// The upper bounds of durations, in seconds.
    private static let bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10]

    private let readings: [Reading]
    private let responses = Mutex(Responses())

    /// Creates the numbers of a server.
    public init(_ readings: [Reading] = []) {
        self.readings = readings
    }

    /// Counts a response, and the time until it began.
    public func count(status: Int, after time: Duration) {
        let seconds = time / .seconds(1)
        responses.withLock { responses in
            responses.statuses[status, default: 0] += 1
            responses.seconds += seconds
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { responses.counts[index] += 1 }
        }
    }

    /// The current numbers.
    public var text: String {
        let responses = responses.withLock { $0 }
        var lines = readings.flatMap { reading in
            Self.head(reading.name, reading.kind, reading.help)
                + ["\(reading.name) \(Self.number(reading.value()))"]
        }
        lines += Self.head("browse_responses_total", "counter", "Responses by status.")
        lines += responses.statuses.sorted { $0.key < $1.key }.map {
            "browse_responses_total{status=\"\($0.key)\"} \($0.value)"
        }
        let (name, count) = ("browse_response_seconds", responses.statuses.values.reduce(0, +))
        lines += Self.head(name, "histogram", "Times until responses began.")
        lines += zip(Self.bounds, responses.counts).map { "\(name)_bucket{le=\"\($0)\"} \($1)" }
        lines += [
            "\(name)_bucket{le=\"+Inf\"} \(count)", "\(name)_sum \(Self.number(responses.seconds))",
            "\(name)_count \(count)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ kind: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? (value.isNaN ? "NaN" : "\(value)")
    }
}
