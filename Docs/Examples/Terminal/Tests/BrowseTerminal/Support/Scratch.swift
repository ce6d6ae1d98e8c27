import Foundation

/// A temporary folder that is deleted with its owner.
final class Scratch: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "browse-\(UUID().uuidString)").path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Decodes a JSON object.
func object(_ text: String) -> [String: Any] {
    ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]) ?? [:]
}
