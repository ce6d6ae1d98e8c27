/// Texts of at least eight bytes that are replaced in one pass, however many they are.
struct TextReplacements {
    private static let length = 8
    /// The factor of multiplicative hashing: 2⁶⁴ divided by the golden ratio.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var replacements: [[UInt8]: [UInt8]] = [:]
    /// The lengths of the texts by their first eight bytes, the longest first: one can be part of
    /// another.
    private var lengths: [UInt64: [Int]] = [:]
    /// Marks the hashes of the first eight bytes.
    private var filter: [UInt8] = []
    private var shift: UInt64 = 64

    init(_ pairs: [(text: String, replacement: String)]) {
        guard !pairs.isEmpty else { return }
        // Sixteen hashes for each text, so that few other places pass the filter.
        var bits: UInt64 = 12
        while 1 << bits < pairs.count * 16 { bits += 1 }
        shift = 64 - bits
        filter = Array(repeating: 0, count: 1 << bits)
        for (text, replacement) in pairs {
            let text = Array(text.utf8)
            guard text.count >= Self.length else { continue }
            let start = text.prefix(Self.length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            filter[Int(truncatingIfNeeded: (start &* Self.factor) &>> shift)] = 1
            replacements[text] = Array(replacement.utf8)
            if lengths[start]?.contains(text.count) != true { lengths[start, default: []].append(text.count) }
        }
        for key in lengths.keys { lengths[key]?.sort(by: >) }
    }

    /// Replaces the texts from the left to the right.
    func apply(to text: inout RecordedText) {
        let bytes = text.bytes
        guard !replacements.isEmpty, bytes.count >= Self.length else { return }
        var edits: [(Range<Int>, [UInt8])] = []
        let (shift, factor) = (shift, Self.factor)
        bytes.withUnsafeBufferPointer { all in
            filter.withUnsafeBufferPointer { filter in
                guard let input = all.baseAddress, let filter = filter.baseAddress else { return }
                var window: UInt64 = 0
                var (index, start) = (0, 0)
                while index < all.count {
                    window = window &<< 8 | UInt64(truncatingIfNeeded: input[index])
                    index += 1
                    let hash = Int(truncatingIfNeeded: (window &* factor) &>> shift)
                    guard filter[hash] != 0, index - start >= Self.length else { continue }
                    let first = index - Self.length
                    let found = (lengths[window] ?? []).lazy.compactMap { length -> (end: Int, text: [UInt8])? in
                        let end = first + length
                        return end > bytes.count ? nil : replacements[Array(bytes[first..<end])].map { (end, $0) }
                    }
                    guard let found = found.first else { continue }
                    (index, start) = (found.end, found.end)
                    edits.append((first..<index, found.text))
                }
            }
        }
        text.replace(edits)
    }

}
