package import Foundation

/// Receives the types and bodies that were decoded in the scope of a test.
///
/// A class, since a function alone can't be task-local in optimized code (Decision 6).
package final class DecodingObserver: Sendable {
    @TaskLocal package static var current: DecodingObserver?

    let didDecode: @Sendable (any Decodable.Type, Data, JSONDecoder) -> Void

    package init(_ didDecode: @escaping @Sendable (any Decodable.Type, Data, JSONDecoder) -> Void) {
        self.didDecode = didDecode
    }
}
