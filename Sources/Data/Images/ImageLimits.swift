/// The bounds of what pictures may cost, and how long they are kept.
public struct ImageLimits: Hashable, Sendable {
    /// The most bytes of files in memory; ``defaultMemoryBytes`` unless given. 64 MiB are some 3,000 avatars.
    public var memoryBytes: Int
    /// The most bytes of files on the disk; 0 keeps none there. 256 MiB unless told.
    ///
    /// Where several processes share a folder, each may exceed it by an eighth before it notices what the others wrote.
    public var diskBytes: Int
    /// The most requests on their way at once, at least 1; one less for pictures that are loaded ahead, unless it is 1.
    public var requests: Int
    /// The bounds of one request. 10 MiB and 30 seconds unless told.
    public var request: HTTPLimits
    /// How long a picture is shown without asking the server for it again; a day unless told.
    ///
    /// An avatar's address stays when somebody changes their picture.
    public var life: Duration
    /// How long a failure is told without asking again; 30 seconds unless told.
    public var failureLife: Duration

    /// Creates bounds.
    public init(
        memoryBytes: Int = ImageLimits.defaultMemoryBytes,
        diskBytes: Int = 256 << 20,
        requests: Int = 6,
        request: HTTPLimits = HTTPLimits(bodyBytes: 10 << 20),
        life: Duration = .seconds(86_400),
        failureLife: Duration = .seconds(30)
    ) {
        self.memoryBytes = max(0, memoryBytes)
        self.diskBytes = max(0, diskBytes)
        self.requests = max(1, requests)
        self.request = request
        self.life = life
        self.failureLife = failureLife
    }
}
