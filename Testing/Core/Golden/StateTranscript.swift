/// Describes values in one line each, the same way in every process.
enum StateTranscript {
    /// The number of elements up to which a collection's elements are shown.
    static let elementLimit = 10

    /// The values in a state, by the paths of their properties.
    static func values(of state: Any) -> [(path: String, text: String)] {
        var values: [(path: String, text: String)] = []
        add(state, at: "", to: &values)
        return values
    }

    /// A value in one line.
    static func text(of value: Any) -> String {
        let values = values(of: value)
        if values.count == 1, let only = values.first, only.path == "state" { return only.text }
        return values.map { "\($0.path): \($0.text)" }.joined(separator: ", ")
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
                return values.append((name, digest(of: elements.map(text(of:)))))
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

    /// The number of elements, and a digest of their texts, so that others differ (FNV-1a).
    private static func digest(of texts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in texts.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(count(texts.count)), digest \(String(hash, radix: 16))"
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
