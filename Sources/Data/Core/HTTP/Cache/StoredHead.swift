import Foundation

/// The stored head of a response: a version, the date, a checksum, the variant, and the rest.
struct StoredHead {
    let variant: VaryKey
    private let date: Int64
    private let checksum: Int64
    private let head: Data
    let data: Data

    init(_ response: CachedResponse, _ variant: VaryKey, under key: CacheKey) {
        self.variant = variant
        head = response.head
        date = Int64(response.date.timeIntervalSince1970)
        checksum = CachedResponse.checksum(of: [Data(key.text.utf8), head, response.body])
        data = Data("1 \(date) \(checksum) \(variant.text.utf8.count)\n\(variant.text)".utf8) + head
    }

    /// Parses data; `nil` if it is damaged or of another version.
    init?(_ data: Data) {
        guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let fields = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        guard fields.count == 4, fields[0] == "1", let date = Int64(fields[1]), let checksum = Int64(fields[2]),
            let length = Int(fields[3]), length >= 0,
            let start = data.index(end + 1, offsetBy: length, limitedBy: data.endIndex)
        else { return nil }
        variant = VaryKey(text: String(decoding: data[(end + 1)..<start], as: UTF8.self))
        head = Data(data[start...])
        (self.date, self.checksum, self.data) = (date, checksum, data)
    }

    /// Returns the response; `nil` if it is damaged or belongs to another key.
    ///
    /// - Parameter body: The body; without it, only the header fields are valid, and nothing is checked.
    func response(withBody body: Data?, under key: CacheKey) -> CachedResponse? {
        CachedResponse(
            head: head,
            body: body ?? Data(),
            checksum: body == nil ? CachedResponse.checksum(of: [Data(key.text.utf8), head, Data()]) : checksum,
            date: Date(timeIntervalSince1970: TimeInterval(date)),
            under: key.text
        )
    }
}
