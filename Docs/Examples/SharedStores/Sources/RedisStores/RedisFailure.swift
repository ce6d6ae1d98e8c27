import BrowseKit

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
