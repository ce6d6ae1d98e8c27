import BrowseKit
import CHiredis
import Foundation

/// A reply of the server.
enum RedisReply: Hashable, Sendable {
    case null
    case integer(Int64)
    case data(Data)
    case array([RedisReply])
    case error(String)

    /// Copies a reply of hiredis.
    init(_ reply: redisReply) {
        var bytes: Data { reply.str.map { Data(bytes: $0, count: reply.len) } ?? Data() }
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .data(bytes)
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: reply.element, count: reply.elements)
            self = .array(elements.map { element in element.map { RedisReply($0.pointee) } ?? .null })
        default: self = .null
        }
    }

    var data: Data? { if case .data(let data) = self { data } else { nil } }
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    /// The elements of an array, and none of another reply.
    var elements: [RedisReply] { if case .array(let array) = self { array } else { [] } }

    /// The code of an error, such as `OOM`.
    ///
    /// Before version 7, that of a script's command follows another one, as in `ERR Error running script (…): -OOM command …`.
    static func code(of error: String) -> Substring {
        let words = error.split(separator: " ")
        return words.first { $0.first == "-" }?.dropFirst() ?? words.first ?? ""
    }
}

/// A word of a command.
protocol RedisWord: Sendable {
    var bytes: Data { get }
}

extension String: RedisWord {
    var bytes: Data { Data(utf8) }
}

extension Data: RedisWord {
    var bytes: Data { self }
}

extension Duration: RedisWord {
    /// The milliseconds, at least 1.
    var bytes: Data { "\(max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))".bytes }
}

extension BrowseError {
    /// The failure of a command. The command may have had its effect if the server is `.unavailable`.
    static func redis(_ reason: StorageFailure.Reason) -> BrowseError {
        .storageFailed(StorageFailure(reason: reason, file: "Redis"))
    }

    /// An error reply, such as `OOM command not allowed`.
    static func redis(reply: String) -> BrowseError {
        switch RedisReply.code(of: reply) {
        // A full server, too: nothing is lost, and the same call succeeds once there is room.
        case "LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "OOM", "MISCONF":
            .redis(.unavailable)
        // A visitor has too many favorites, and can remove some.
        case "FULL": .redis(.full)
        case "READONLY", "NOPERM", "NOAUTH", "WRONGPASS": .redis(.notWritable)
        default: .redis(.other)
        }
    }
}
