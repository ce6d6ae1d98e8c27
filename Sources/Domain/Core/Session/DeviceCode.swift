/// A code that the user enters on another device to authorize this one.
public struct DeviceCode: Hashable, Sendable {
    /// The code that the user enters, as in `WDJB-MJHT`.
    public let userCode: String
    /// The page on which the user enters it.
    public let page: WebAddress
    /// The time until the code expires.
    public let lifetime: Duration
    /// The minimum time between polls.
    public let interval: Duration
    /// The code with which this device polls.
    public let deviceCode: Secret

    /// Creates a code.
    public init(userCode: String, page: WebAddress, lifetime: Duration, interval: Duration, deviceCode: Secret) {
        self.userCode = userCode
        self.page = page
        self.lifetime = lifetime
        self.interval = interval
        self.deviceCode = deviceCode
    }
}
