import BrowseDomain
import Foundation

extension BrowseError.DecodingFailure {
    /// The position and the reason, with a key of the body that is similar to a missing one.
    func description(in body: Data?) -> String {
        guard reason == "missing", let body, var value = try? JSONSerialization.jsonObject(with: body) else {
            return description
        }
        // The keys and indices of a path such as `items[0].tag_name`.
        var steps = codingPath.split { ".[]".contains($0) }.map(String.init)
        let key = steps.popLast() ?? ""
        for step in steps {
            let index = Int(step) ?? .max
            let row = (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
            guard let next = row ?? (value as? [String: Any])?[step] else { return description }
            value = next
        }
        let similar = (value as? [String: Any])?.keys.filter { $0.isSimilar(to: key) }.min()
        return similar.map { "\(description), but there is “\($0)”" } ?? description
    }
}

extension String {
    /// Whether another key differs by one letter or two adjacent ones, besides case and “_”.
    ///
    /// Keys of up to five letters differ by one only.
    func isSimilar(to other: String) -> Bool {
        let (own, others) = (letters, other.letters)
        let start = zip(own, others).prefix { $0 == $1 }.count
        let end = zip(own.reversed(), others.reversed()).prefix { $0 == $1 }.count
        let length = max(own.count, others.count)
        return start + end >= max(1, length - (length > 5 ? 2 : 1))
    }

    /// The letters in lowercase, without underscores.
    private var letters: [Character] { Array(lowercased().filter { $0 != "_" }) }
}
