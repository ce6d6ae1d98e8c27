import Synchronization

/// The numbers of a server, as text for Prometheus (text-based exposition format, version 0.0.4).
public final class Metrics: Sendable {
    /// The type of the response.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A number that is read when the text is created.
    public struct Reading: Sendable {
        /// Whether the number only grows, or also falls.
        public enum Kind: String, Sendable {
            /// It only grows; its name ends with `_total`.
            case counter
            /// It grows and falls.
            case gauge
        }

        let name: String
        let kind: Kind
        let help: String
        let value: @Sendable () -> Double

        /// Creates a reading.
        ///
        /// - Parameters:
        ///   - name: The name, such as `web_open_streams`.
        ///   - kind: Whether the number only grows.
        ///   - help: One line that explains it.
        ///   - value: Returns the current number.
        public init(_ name: String, _ kind: Kind, help: String, value: @escaping @Sendable () -> Double) {
            self.name = name
            self.kind = kind
            self.help = help
            self.value = value
        }
    }

    private let readings: [Reading]
    private let responses = Mutex<[Int: Int]>([:])

    /// Creates the numbers of a server.
    public init(_ readings: [Reading] = []) {
        self.readings = readings
    }

    /// Counts a response.
    public func count(status: Int) {
        responses.withLock { $0[status, default: 0] += 1 }
    }

    /// The current numbers.
    public var text: String {
        let statuses = responses.withLock { $0 }.sorted { $0.key < $1.key }
        var lines = readings.flatMap { reading in
            Self.head(reading.name, reading.kind, reading.help) + ["\(reading.name) \(Self.number(reading.value()))"]
        }
        lines += Self.head("browse_responses_total", .counter, "Responses by status.")
        lines += statuses.map { "browse_responses_total{status=\"\($0.key)\"} \($0.value)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ kind: Reading.Kind, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? (value.isNaN ? "NaN" : "\(value)")
    }
}
