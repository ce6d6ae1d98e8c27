import Foundation

/// A value of the JSON that programs read.
enum JSON: Encodable, Hashable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([JSON])
    case object([String: JSON])
    case null

    /// A text that may be missing.
    init(_ text: String?) {
        self = text.map(JSON.text) ?? .null
    }

    /// A number that may be missing.
    init(_ number: Int?) {
        self = number.map { .number(Int64($0)) } ?? .null
    }

    /// An object with more fields; anything else as it is.
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

    /// The value on one line, keys in alphabetical order.
    ///
    /// What a terminal would obey instead of showing is escaped: it can only stand in a text, where the escape means the same.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A JSON of texts, whole numbers and flags always encodes.
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
    /// Whether a terminal obeys the scalar, or a program that reads lines takes it for the end of one (U+2028, U+2029).
    fileprivate var isEscaped: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
