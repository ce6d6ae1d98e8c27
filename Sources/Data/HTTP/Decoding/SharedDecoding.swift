import BrowseDomain
import Synchronization

/// Decodes a response once for all callers that share it.
///
/// Deduplicated requests share one response. The decoded value is shared, too, and released with the last of their responses,
/// unless ``DecodedResponses`` caches it.
final class SharedDecoding: Hashable, Sendable {
    private typealias Outcome = Result<any Sendable, BrowseError>
    private typealias Waiter = CheckedContinuation<Outcome?, Never>

    /// Endpoints can decode one response as different types, or as one type in different ways.
    private struct Key: Hashable {
        let id: DecodingID
        let type: ObjectIdentifier
    }

    private enum Entry {
        case running([ObjectIdentifier: Waiter])
        case finished(Outcome)
    }

    private enum Step {
        case decode
        case finish(Outcome?)
        case suspend
    }

    /// Identifies a waiter.
    private final class Ticket: Sendable {}

    private let entries = Mutex<[Key: Entry]>([:])
    /// Has the values of named decodings, which outlive this response; `nil` if this object has them itself.
    private let named: SharedDecoding?

    /// - Parameter named: Stores the values of named decodings.
    init(named: SharedDecoding? = nil) {
        self.named = named
    }

    /// Whether a value was decoded.
    var hasValues: Bool { entries.withLock { !$0.isEmpty } }

    /// Decodes the value, waits for the caller that decodes it, or returns the decoded value.
    ///
    /// - Returns: The result; `nil` if the calling task is canceled while it waits.
    func value<Value: Sendable>(
        for id: DecodingID,
        _ decode: () throws(BrowseError) -> Value
    ) async -> Result<Value, BrowseError>? {
        if id.isNamed, let named { return await named.value(for: id, decode) }
        let key = Key(id: id, type: ObjectIdentifier(Value.self))
        let ticket = Ticket()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                switch join(key, waiter, as: ticket) {
                case .decode: waiter.resume(returning: finish(key, with: Self.outcome(of: decode)))
                case .finish(let outcome): waiter.resume(returning: outcome)
                case .suspend: break
                }
            }
        } onCancel: {
            leave(key, ticket)
        }
        return outcome.map { outcome in
            outcome.flatMap { value in
                // The key contains the type, so the cast succeeds.
                if let value = value as? Value { .success(value) } else { Self.result(of: decode) }
            }
        }
    }

    private func join(_ key: Key, _ waiter: Waiter, as ticket: Ticket) -> Step {
        entries.withLock { entries in
            switch entries[key] {
            case nil:
                entries[key] = .running([:])
                return .decode
            case .finished(let outcome):
                return .finish(outcome)
            case .running(var waiters):
                // A cancellation before this point found no waiter to resume.
                guard !Task.isCancelled else { return .finish(nil) }
                waiters[ObjectIdentifier(ticket)] = waiter
                entries[key] = .running(waiters)
                return .suspend
            }
        }
    }

    private func finish(_ key: Key, with outcome: Outcome) -> Outcome {
        let waiters = entries.withLock { entries -> [Waiter] in
            defer { entries[key] = .finished(outcome) }
            guard case .running(let waiters) = entries[key] else { return [] }
            return Array(waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
        return outcome
    }

    private func leave(_ key: Key, _ ticket: Ticket) {
        let waiter = entries.withLock { entries -> Waiter? in
            guard case .running(var waiters) = entries[key] else { return nil }
            let waiter = waiters.removeValue(forKey: ObjectIdentifier(ticket))
            entries[key] = .running(waiters)
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    private static func result<Value>(of decode: () throws(BrowseError) -> Value) -> Result<Value, BrowseError> {
        do throws(BrowseError) {
            let value = try decode()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private static func outcome<Value: Sendable>(of decode: () throws(BrowseError) -> Value) -> Outcome {
        result(of: decode).map { $0 as any Sendable }
    }

    static func == (one: SharedDecoding, other: SharedDecoding) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
