#if os(macOS) || os(Linux)
import BrowseDomain
import Synchronization

/// Counts of results by name, and messages about unexpected ones.
final class Tally: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var complaints: [String] = []
    }

    private let state = Mutex(State())

    /// The first 20 messages, each as `wrong: …`, and the counts.
    var lines: [String] {
        state.withLock { state in
            state.complaints.prefix(20).map { "wrong: \($0)" }
                + state.counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        }
    }

    func complain(_ text: String) { state.withLock { $0.complaints.append(text) } }
    func count(_ name: String, _ count: Int = 1) { state.withLock { $0.counts[name, default: 0] += count } }

    /// The name under which an error is counted.
    static func name(of error: BrowseError) -> String {
        switch error {
        case .unreachable(let reason, _): "unreachable \(reason)"
        case .unusableResponse(.decoding, _): "unusable decoding"
        case .unusableResponse(let reason, _): "unusable \(reason)"
        default: String("\(error)".prefix { $0.isLetter })
        }
    }
}
#endif
