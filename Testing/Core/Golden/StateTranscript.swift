import BrowseCoreMocks

/// Describes values in one line each, the same way in every process.
enum StateTranscript {
    /// The number of elements up to which a collection's elements are shown.
    private static let elementLimit = 10
    /// The maximum number of digests of a collection's parts.
    private static let partLimit = 200

    /// The values in a state, by the paths of their properties.
    ///
    /// The text of a long collection has more lines, with a digest of each part.
    static func values(of state: Any) -> [(path: String, text: String)] {
        var values: [(path: String, text: String)] = []
        add(state, at: "", to: &values)
        return values
    }

    /// A value in one line.
    static func text(of value: Any) -> String {
        let values = values(of: value)
        if values.count == 1, let only = values.first, only.path == "state" { return summary(of: only.text) }
        return values.map { "\($0.path): \(summary(of: $0.text))" }.joined(separator: ", ")
    }

    /// The lines of a value that has changed, with the digests that have, up to ten in a line.
    static func lines(of text: String, at path: String, after old: String?) -> [String] {
        let summary = summary(of: text)
        let parts = text.split(separator: "\n").dropFirst().map(String.init)
        guard !parts.isEmpty else { return ["\(path): \(summary)"] }
        let count = Int(summary.prefix { $0.isNumber }) ?? 0
        let width = partWidth(of: count)
        var known = old?.split(separator: "\n").dropFirst().map(String.init) ?? []
        if let old, !known.isEmpty, Int(old.prefix { $0.isNumber }).map(partWidth) != width { known = [] }
        var runs: [Range<Int>] = []
        for index in parts.indices where !known.indices.contains(index) || known[index] != parts[index] {
            let start =
                runs.last?.upperBound == index && !index.isMultiple(of: 10) ? runs.removeLast().lowerBound : index
            runs.append(start..<index + 1)
        }
        return ["\(path): \(summary)"]
            + runs.map { run in
                let (first, last) = (run.lowerBound * width, min(run.upperBound * width, count) - 1)
                let place = first == last ? "\(first)" : "\(first)...\(last)"
                return "\(path)[\(place)]: \(parts[run].joined(separator: " "))"
            }
    }

    private static func summary(of text: String) -> String { String(text.prefix { $0 != "\n" }) }

    /// The number of elements that have a digest together: a power of ten.
    private static func partWidth(of count: Int) -> Int {
        var width = 1
        while count > partLimit * width { width *= 10 }
        return width
    }

    private static func add(_ value: Any, at path: String, to values: inout [(path: String, text: String)]) {
        let mirror = Mirror(reflecting: value)
        let name = path.isEmpty ? "state" : path
        switch mirror.displayStyle {
        case .optional:
            guard let wrapped = mirror.children.first?.value else { return values.append((name, "nil")) }
            add(wrapped, at: path, to: &values)
        case .set, .dictionary:
            // Their order differs between processes.
            let elements = mirror.children.map { text(of: $0.value) }.sorted()
            guard elements.count <= elementLimit else { return values.append((name, digest(of: elements))) }
            values.append((name, count(elements.count)))
            for (index, element) in elements.enumerated() { values.append(("\(name)[\(index)]", element)) }
        case _ where value is any Collection && !(value is any StringProtocol):
            guard let collection = value as? any Collection else { return }
            let elements = array(of: collection)
            guard elements.count <= elementLimit else {
                let texts = elements.map(text(of:))
                let width = partWidth(of: texts.count)
                let parts = stride(from: 0, to: texts.count, by: width).map { start in
                    let hash = hash(of: texts[start..<min(start + width, texts.count)])
                    // The first bits of an FNV-1a hash hardly depend on a short text.
                    return "\n" + digits(SplitMix.mixed(hash) >> 48, 4)
                }
                return values.append((name, digest(of: texts) + parts.joined()))
            }
            values.append((name, count(elements.count)))
            for (index, element) in elements.enumerated() {
                add(element, at: "\(path)[\(index)]", to: &values)
            }
        case .enum:
            // A case without associated values, or with a description of its own.
            guard !(value is any CustomStringConvertible), let child = mirror.children.first, let label = child.label
            else { return values.append((name, oneLine("\(value)"))) }
            values.append((name, label))
            add(child.value, at: path.isEmpty ? label : "\(path).\(label)", to: &values)
        case .struct where !(value is any CustomStringConvertible), .tuple:
            guard !mirror.children.isEmpty else { return values.append((name, "\(mirror.subjectType)()")) }
            for (index, child) in mirror.children.enumerated() {
                let label = child.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? "\(index)"
                add(child.value, at: path.isEmpty ? label : "\(path).\(label)", to: &values)
            }
        case .class where !(value is any CustomStringConvertible):
            values.append((name, "\(mirror.subjectType)"))
        default:
            values.append((name, oneLine("\(value)")))
        }
    }

    /// The number of elements, and a digest of their texts, so that others differ.
    private static func digest(of texts: [String]) -> String {
        "\(count(texts.count)), digest \(digits(hash(of: texts[...]), 1))"
    }

    /// The FNV-1a hash of texts.
    private static func hash(of texts: ArraySlice<String>) -> UInt64 {
        texts.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func count(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "\n": ["\\", "n"]
                    case "\r": ["\\", "r"]
                    default: [scalar]
                    }
                }
            )
        )
    }

    private static func array(of collection: some Collection) -> [Any] { collection.map { $0 } }
}
