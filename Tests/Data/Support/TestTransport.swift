import BrowseData
import Testing

/// The transports that run the transport suite.
enum TestTransport: CaseIterable, CustomTestStringConvertible {
    case urlSession
    #if canImport(Glibc)
    case curl
    #endif

    var testDescription: String {
        switch self {
        case .urlSession: "URLSession"
        #if canImport(Glibc)
        case .curl: "libcurl"
        #endif
        }
    }

    /// The transports that no response can crash or stall: all except Foundation's on Linux.
    static var robust: [TestTransport] {
        #if canImport(FoundationNetworking)
        allCases.filter { $0 != .urlSession }
        #else
        allCases
        #endif
    }

    func make(connectionsPerHost: Int = 8, clock: any Clock<Duration> = ContinuousClock()) -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
        #if canImport(Glibc)
        case .curl:
            // On a busy machine, a test may not continue within the default time.
            CurlTransport(connectionsPerHost: connectionsPerHost, clock: clock, idleDuration: .seconds(3_600))
        #endif
        }
    }
}
