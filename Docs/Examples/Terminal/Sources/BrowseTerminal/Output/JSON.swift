import Foundation

/// A JSON value.
enum JSON: Encodable, Hashable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([JSON])
    case object([String: JSON])
    case null

    /// Creates a text, or null.
    init(_ text: String?) {
        self = text.map(JSON.text) ?? .null
    }

    /// Creates a number, or null.
    init(_ number: Int?) {
        self = number.map { .number(Int64($0)) } ?? .null
    }

    /// Returns the object for a failure.
    static func error(_ text: String) -> JSON { .object(["error": .text(text)]) }

    /// Returns an object with additional fields; other values unchanged.
    func adding(_ fields: [String: JSON]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(fields) { $1 })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }

    /// The value on one line, with sorted keys and escaped control characters.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These types always encode.
        let data = (try? encoder.encode(self)) ?? Data("null".utf8)
        var line = ""
        for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
            if scalar.isEscaped {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

extension Unicode.Scalar {
    /// Whether the scalar controls a terminal or can end a line (U+2028, U+2029).
    fileprivate var isEscaped: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
