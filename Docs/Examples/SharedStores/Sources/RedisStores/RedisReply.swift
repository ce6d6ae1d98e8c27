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
