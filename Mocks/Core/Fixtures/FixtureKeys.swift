import BrowseData
package import Foundation
import Synchronization

/// Finds the keys of a test's types that no fixture has.
///
/// The value of a mistyped one is `nil` in all tests.
package final class FixtureKeys: Sendable {
    /// Bodies that belong together: the files of fixtures, or the responses of a recording.
    package struct Corpus: Sendable {
        let name: String
        let bodies: @Sendable () -> [Data]
    }

    private struct Use: Hashable {
        let type: ObjectIdentifier
        let corpus: String
    }

    private struct State {
        var corpora: [Data: Corpus] = [:]
        var uses: Set<Use> = []
        var absent: Set<String> = []
        var present: Set<String> = []
    }

    /// The keys that may be absent, as `BookDTO.subtitle` or `subtitle`.
    @TaskLocal package static var allowed: Set<String> = []
    private let state = Mutex(State())

    package init() {}

    /// Adds a body that a response can have.
    func add(_ body: Data, of corpus: Corpus) {
        state.withLock { $0.corpora[body] = corpus }
    }

    /// Notes the absent keys of a type that was decoded from a fixture.
    package func didDecode(_ type: any Decodable.Type, from body: Data, by decoder: JSONDecoder) {
        let corpus: Corpus? = state.withLock { state in
            guard let corpus = state.corpora[body],
                state.uses.insert(Use(type: ObjectIdentifier(type), corpus: corpus.name)).inserted
            else { return nil }
            return corpus
        }
        guard let corpus else { return }
        let use = KeyUse()
        // A file of another type can't be decoded, or has none of the keys.
        let bodies = [body] + corpus.bodies().filter { $0.count < 1 << 20 }.prefix(200)
        for body in bodies { use.decode(type, from: body, by: decoder) }
        // Details can have keys that the rows of a list lack.
        for nested in use.nestedTypes {
            for body in bodies { use.decode(nested, from: body, by: decoder, isNested: true) }
        }
        let (absent, present) = use.keys
        let reported = absent.filter { !Self.allowed.contains($0.name) && !Self.allowed.contains($0.description) }
        state.withLock { state in
            state.absent.formUnion(reported.map(\.description))
            // Another response can have them in the same nested type.
            state.present.formUnion(present.map(\.description))
        }
    }

    /// One sentence for each absent key.
    package var reports: [String] {
        state.withLock { $0.absent.subtracting($0.present) }.sorted().map { key in
            """
            No fixture has the key \(key), so its value is always missing. Correct the key, add it to a fixture, or \
            allow it with the trait .allowsAbsentKeys("\(key)").
            """
        }
    }
}
