/// Why a connection ended.
enum ConnectionEnd: Error, Equatable {
    /// The peer closed or reset it, or ``ServerCore/stop()`` shut it down.
    case peer

    /// A response asked for an orderly close.
    case orderly

    /// A response asked for a reset.
    case reset

    /// The request can't be understood and gets this status before an orderly close.
    case refused(status: Int)
}
