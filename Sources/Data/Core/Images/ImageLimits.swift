/// Limits for the memory, disk space, requests, and lifetime of images.
public struct ImageLimits: Hashable, Sendable {
    /// The maximum size of images in memory, in bytes of their files.
    ///
    /// 16 MiB by default, which hold about 800 avatars.
    public var memoryBytes: Int = 16 << 20
    /// The maximum size of images on disk in bytes, 256 MiB by default; 0 stores none.
    ///
    /// If several processes share a folder, each may exceed the limit by 1/8 before it notices the
    /// others' files.
    public var diskBytes: Int = 256 << 20
    /// The maximum number of requests in flight to a host, at least 1. Of several, prefetching
    /// leaves one free.
    public var requests: Int = 6
    /// The limits of each request, 10 MiB and 30 seconds by default.
    public var request: HTTPLimits = HTTPLimits(bodyBytes: 10 << 20, duration: .seconds(30))
    /// The maximum number of pixels of an image, 32 Mi by default.
    ///
    /// A decoded pixel needs four bytes, whatever the size of the file: 10 MiB can announce 60,000
    /// by 60,000 pixels. An image whose header has no readable size isn't limited.
    public var pixels: Int = 32 << 20
    /// The time after which the server is asked whether a cached image has changed, a day by
    /// default.
    ///
    /// The address of an avatar doesn't change with the image.
    public var lifetime: Duration = .seconds(86_400)
    /// The time for which a failure of the image, not of the connection, is thrown again, by
    /// default 30 s.
    public var failureLifetime: Duration = .seconds(30)

    /// Creates the default limits, and changes them.
    public init(_ change: (inout ImageLimits) -> Void = { _ in }) { change(&self) }
}
