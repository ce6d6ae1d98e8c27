@testable import BrowseData
@testable import BrowseDomain

/// The `Link` header, and the page URLs derived from it.
@Sendable func linkHeader(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let header = LinkHeader(text)
    var size = 0
    for (relation, target) in header.targets {
        require(!relation.isEmpty && !relation.contains(where: \.isWhitespace), "a relation is one word")
        require(relation == relation.lowercased(), "a relation is lowercase")
        require(header[relation] == target, "a relation is found by its name")
        require(text.utf8.count >= target.utf8.count, "a target is a part of the header")
        size += relation.utf8.count
    }
    // Some letters take more bytes in lowercase.
    require(size <= 3 * text.utf8.count, "the relations are parts of the header")
    // A backslash isn't part of any relation, and escapes what follows.
    if !header.targets.keys.contains(where: { $0.contains("\\") }) {
        require(LinkHeader(printed(header)) == header, "a printed header parses to the same value: \(printed(header))")
    }

    var next = header["next"].map(PageCursor.init(rawValue:))
    next?.last = header["last"]
    let following = next?.following ?? []
    require(following.count <= 1000, "at most 1,000 pages are derived")
    require(Set(following).count == following.count, "no page is derived twice")
    for cursor in following {
        require(
            cursor.rawValue.utf8.count <= text.utf8.count + 4,
            "a derived URL is hardly longer than the header"
        )
    }
}

private func printed(_ header: LinkHeader) -> String {
    let links = header.targets.map { relation, target in "<\(target)>; rel=\"\(relation)\"" }
    return links.joined(separator: ", ")
}
