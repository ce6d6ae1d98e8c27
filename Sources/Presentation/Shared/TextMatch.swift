/// Finds a part of a text without regard to case.
///
/// Logins are ASCII, and a list may have many thousands, so that case is compared byte by byte where both texts allow it.
struct TextMatch: Sendable {
    private let part: String
    private let bytes: [UInt8]
    private let isASCII: Bool

    init(_ part: String) {
        self.part = part.lowercased()
        bytes = Array(self.part.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    func matches(_ text: String) -> Bool {
        guard !bytes.isEmpty else { return true }
        let found = text.utf8.withContiguousStorageIfAvailable { text -> Bool? in
            guard isASCII, text.allSatisfy({ $0 < 0x80 }) else { return nil }
            return contains(text)
        }
        if let found, let isMatch = found { return isMatch }
        return text.lowercased().contains(part)
    }

    private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= bytes.count else { return false }
        return (0...(text.count - bytes.count)).contains { start in
            bytes.indices.allSatisfy { lowercased(text[start + $0]) == bytes[$0] }
        }
    }

    private func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
