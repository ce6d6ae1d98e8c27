import BrowseDomain

/// Identifies an image by its address, or its key, and its size.
///
/// Every lookup in memory creates one, so it doesn't parse the address.
struct ImageKey: Hashable {
    private let name: String
    private let side: Int?

    init(_ request: ImageRequest, sizes: [ImageSizes] = []) {
        name = request.cacheKey ?? String(request.address.rawValue.prefix { $0 != "#" })
        side = request.size(in: sizes)?.side
    }

    /// The key of the file.
    var text: String { "\(name) \(side ?? 0)" }
}
