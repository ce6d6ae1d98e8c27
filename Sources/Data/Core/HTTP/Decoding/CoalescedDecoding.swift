@_spi(Services) import BrowseDomain
import Synchronization

/// Decodes a response once for all callers that share it.
///
/// Deduplicated requests share one response. The decoded value is shared, too, and released with the last of their responses,
/// unless ``DecodedResponses`` caches it.
final class CoalescedDecoding: Hashable, Sendable {
    private typealias Outcome = Result<any Sendable, BrowseError>
    private typealias Waiter = OneShot<Outcome?>

    /// Endpoints can decode one response as different types, or as one type in different ways.
    private struct Key: Hashable {
        let id: DecodingID
        let type: ObjectIdentifier
    }

    private enum Entry {
        case running([Waiter])
        case finished(Outcome)
    }

    private enum Step {
        case decode
        case finished(Outcome)
        case wait(Waiter)
    }

    private let entries = Mutex<[Key: Entry]>([:])
    /// Has the values of named decodings, which outlive this response; `nil` if this object has them itself.
    private let named: CoalescedDecoding?

    init(named: CoalescedDecoding? = nil) {
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
        let outcome: Outcome?
        switch step(for: key) {
        case .decode:
            let result: Outcome = Self.result(of: decode).map { $0 as any Sendable }
            let entry = entries.withLock { $0.updateValue(.finished(result), forKey: key) }
            if case .running(let waiters) = entry {
                for waiter in waiters { waiter.resolve(result) }
            }
            outcome = result
        case .finished(let result):
            outcome = result
        case .wait(let waiter):
            outcome = await withTaskCancellationHandler {
                await waiter.value
            } onCancel: {
                waiter.resolve(nil)
            }
        }
        return outcome.map { outcome in
            outcome.flatMap { value in
                // The key contains the type, so the cast succeeds.
                if let value = value as? Value { .success(value) } else { Self.result(of: decode) }
            }
        }
    }

    private func step(for key: Key) -> Step {
        entries.withLock { entries in
            switch entries[key] {
            case nil:
                entries[key] = .running([])
                return .decode
            case .finished(let outcome):
                return .finished(outcome)
            case .running(let waiters):
                let waiter = Waiter()
                entries[key] = .running(waiters + [waiter])
                return .wait(waiter)
            }
        }
    }

    private static func result<Value>(of decode: () throws(BrowseError) -> Value) -> Result<Value, BrowseError> {
        do throws(BrowseError) {
            let value = try decode()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    static func == (one: CoalescedDecoding, other: CoalescedDecoding) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
