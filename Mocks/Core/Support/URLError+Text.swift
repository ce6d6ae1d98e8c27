import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLError {
    /// Creates an error with a text, which transports put into `BrowseError.Unreachable.other`.
    init(_ code: Code, saying text: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
