import BrowseKit
import CHiredis
import Foundation

/// A reply of the server.
enum RedisReply: Hashable, Sendable {
    case null
    case integer(Int64)
    case data(Data)
    case status(String)
    case array([RedisReply])
    case error(String)

    /// Copies a reply of hiredis.
    init(_ reply: redisReply) {
        var bytes: Data { reply.str.map { Data(bytes: $0, count: reply.len) } ?? Data() }
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .data(bytes)
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array(
                UnsafeBufferPointer(start: reply.element, count: reply.elements).map { element in
                    element.map { RedisReply($0.pointee) } ?? .null
                }
            )
        default: self = .null
        }
    }

    var data: Data? { if case .data(let data) = self { data } else { nil } }
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var array: [RedisReply]? { if case .array(let array) = self { array } else { nil } }
}

/// The failure of a command.
enum RedisFailure: Error, Hashable {
    /// The server can't be reached, or didn't respond in time; the command may have had its effect.
    case unavailable
    /// The task was canceled before the command was sent.
    case cancelled
    /// The server's error reply, such as `OOM command not allowed`.
    case refused(String)
    /// A reply of another type than the command's.
    case unexpectedReply

    /// The failure as the stores' protocols report it.
    var storageFailure: StorageFailure {
        let reason: StorageFailure.Reason =
            switch self {
            case .unavailable, .cancelled: .unavailable
            case .refused(let text):
                switch text.prefix(while: { $0 != " " }) {
                case "LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "OOM",
                    "MISCONF":
                    // A full server, too: nothing is lost, and the same call succeeds once there is room.
                    .unavailable
                case "READONLY", "NOPERM", "NOAUTH", "WRONGPASS": .notWritable
                default: .other
                }
            case .unexpectedReply: .other
            }
        return StorageFailure(reason: reason, file: "Redis")
    }

    /// The failure as repositories report it.
    var browseError: BrowseError { self == .cancelled ? .cancelled : .storageFailed(storageFailure) }
}
