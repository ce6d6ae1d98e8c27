/// Limits for the memory, disk space, requests, and lifetime of images.
public struct ImageLimits: Hashable, Sendable {
    /// The maximum size of images in memory, in bytes of their files.
    ///
    /// 16 MiB by default, which hold about 800 avatars.
    public var memoryBytes: Int
    /// The maximum size of images on disk in bytes, 256 MiB by default; 0 stores none.
    ///
    /// If several processes share a folder, each may exceed the limit by 1/8 before it notices the others' files.
    public var diskBytes: Int
    /// The maximum number of requests in flight to a host, at least 1. Of several, prefetching leaves one free.
    public var requests: Int
    /// The limits of each request, 10 MiB and 30 seconds by default.
    public var request: HTTPLimits
    /// The maximum number of pixels of an image, 32 Mi by default.
    ///
    /// A decoded pixel needs four bytes, whatever the size of the file: 10 MiB can announce 60,000 by 60,000 pixels. An image
    /// whose header has no readable size isn't limited.
    public var pixels: Int
    /// The time after which the server is asked whether a cached image has changed, a day by default.
    ///
    /// The address of an avatar doesn't change with the image.
    public var lifetime: Duration
    /// The time for which a failure of the image, not of the connection, is thrown again, by default 30 s.
    public var failureLifetime: Duration

    /// Creates limits.
    public init(
        memoryBytes: Int = 16 << 20,
        diskBytes: Int = 256 << 20,
        requests: Int = 6,
        request: HTTPLimits = HTTPLimits(bodyBytes: 10 << 20, duration: .seconds(30)),
        pixels: Int = 32 << 20,
        lifetime: Duration = .seconds(86_400),
        failureLifetime: Duration = .seconds(30)
    ) {
        self.memoryBytes = memoryBytes
        self.diskBytes = diskBytes
        self.requests = requests
        self.request = request
        self.pixels = pixels
        self.lifetime = lifetime
        self.failureLifetime = failureLifetime
    }
}
