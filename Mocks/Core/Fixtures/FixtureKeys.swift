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
        var absent: Set<KeyUse.Key> = []
        var present: Set<KeyUse.Key> = []
        /// The keys that the objects of the types have.
        var found: Set<KeyUse.Key> = []

        /// A key, with a similar one that an object has and its type lacks.
        func description(of key: KeyUse.Key) -> String {
            let others = found.subtracting(absent).subtracting(present).filter { $0.type == key.type }
            let similar = others.map(\.name).filter { $0.isSimilar(to: key.name) }.min()
            return similar.map { "\(key) (but there is “\($0)”)" } ?? "\(key)"
        }
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
        let (absent, present, found) = use.keys
        let reported = absent.filter { !Self.allowed.contains($0.name) && !Self.allowed.contains($0.description) }
        state.withLock { state in
            state.absent.formUnion(reported)
            // Another response can have them in the same nested type.
            state.present.formUnion(present)
            state.found.formUnion(found)
        }
    }

    /// One report for each type with absent keys.
    package var reports: [String] {
        let state = state.withLock { $0 }
        let types = Dictionary(grouping: state.absent.subtracting(state.present), by: \.type)
        return types.sorted { $0.key < $1.key }.map { _, keys in
            let keys = keys.sorted { $0.name < $1.name }
            let (noun, them, values) =
                keys.count == 1 ? ("key", "it", "its value is") : ("keys", "them", "their values are")
            let names = keys.map(state.description(of:)).joined(separator: ", ")
            let allowed = keys.map { "\"\($0)\"" }.joined(separator: ", ")
            return """
                No fixture has the \(noun) \(names), so \(values) always missing. Correct the \(noun), add \(them) to a \
                fixture, or allow \(them) with the trait .allowsAbsentKeys(\(allowed)).
                """
        }
    }
}
