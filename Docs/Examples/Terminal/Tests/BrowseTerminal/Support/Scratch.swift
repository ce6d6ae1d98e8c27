import Foundation

/// A folder of a test's own that goes away with it.
final class Scratch: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "browse-\(UUID().uuidString)").path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// What is in a JSON object that a run wrote.
func object(_ text: String) -> [String: Any] {
    ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]) ?? [:]
}
