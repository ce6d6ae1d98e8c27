// Declarations of Apple's Foundation: URL loading, from developer.apple.com/documentation/foundation/urlsession.
//
// Methods of delegates are optional requirements in Objective-C; here each has an empty implementation.

open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }

    open class var shared: URLSession { standIn() }
    public init(configuration: URLSessionConfiguration) { standIn() }
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) { standIn() }

    open var delegateQueue: OperationQueue { standIn() }
    open var delegate: (any URLSessionDelegate)? { standIn() }
    open var configuration: URLSessionConfiguration { standIn() }
    open var sessionDescription: String?

    open func finishTasksAndInvalidate() { standIn() }
    open func invalidateAndCancel() { standIn() }
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) { standIn() }
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { standIn() }
    open func dataTask(with url: URL) -> URLSessionDataTask { standIn() }
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { standIn() }
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { standIn() }
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { standIn() }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

extension URLSessionDelegate {
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { standIn() }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var networkProtocolName: String? { standIn() }
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

extension URLSessionDataDelegate {
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {}
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable { case running, suspended, canceling, completed }

    open var taskIdentifier: Int { standIn() }
    open var originalRequest: URLRequest? { standIn() }
    open var currentRequest: URLRequest? { standIn() }
    open var response: URLResponse? { standIn() }
    open var delegate: (any URLSessionTaskDelegate)?
    open var countOfBytesReceived: Int64 { standIn() }
    open var countOfBytesExpectedToReceive: Int64 { standIn() }
    open var taskDescription: String?
    open var state: URLSessionTask.State { standIn() }
    open var error: (any Error)? { standIn() }
    open var priority: Float
    open func cancel() { standIn() }
    open func suspend() { standIn() }
    open func resume() { standIn() }
    override init() { standIn() }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { standIn() }
    open class var ephemeral: URLSessionConfiguration { standIn() }
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { standIn() }
    open var identifier: String? { standIn() }
    open var requestCachePolicy: NSURLRequest.CachePolicy
    open var timeoutIntervalForRequest: TimeInterval
    open var timeoutIntervalForResource: TimeInterval
    open var waitsForConnectivity: Bool
    open var allowsCellularAccess: Bool
    open var httpShouldSetCookies: Bool
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy
    open var httpAdditionalHeaders: [AnyHashable: Any]?
    open var httpMaximumConnectionsPerHost: Int
    open var httpCookieStorage: HTTPCookieStorage?
    open var urlCredentialStorage: URLCredentialStorage?
    open var urlCache: URLCache?
    open var protocolClasses: [AnyClass]?
    override init() { standIn() }
}

open class URLCache: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}

open class HTTPCookie: NSObject {
    public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}

public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    func cancel(_ challenge: URLAuthenticationChallenge)
}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public init(
        protectionSpace space: URLProtectionSpace,
        proposedCredential credential: URLCredential?,
        previousFailureCount: Int,
        failureResponse response: URLResponse?,
        error: (any Error)?,
        sender: any URLAuthenticationChallengeSender
    ) { standIn() }
    open var protectionSpace: URLProtectionSpace { standIn() }
    open var previousFailureCount: Int { standIn() }
}

open class URLProtectionSpace: NSObject, @unchecked Sendable {
    public init(
        host: String,
        port: Int,
        protocol: String?,
        realm: String?,
        authenticationMethod: String?
    ) { standIn() }
    public init(
        proxyHost host: String,
        port: Int,
        type: String?,
        realm: String?,
        authenticationMethod: String?
    ) { standIn() }
    open var authenticationMethod: String { standIn() }
    open var host: String { standIn() }
    open func isProxy() -> Bool { standIn() }
}

public let NSURLProtectionSpaceHTTPSProxy: String = ""
public let NSURLAuthenticationMethodDefault: String = ""
public let NSURLAuthenticationMethodHTTPBasic: String = ""
public let NSURLAuthenticationMethodHTTPDigest: String = ""
public let NSURLAuthenticationMethodNTLM: String = ""
public let NSURLAuthenticationMethodNegotiate: String = ""
public let NSURLAuthenticationMethodClientCertificate: String = ""
public let NSURLAuthenticationMethodServerTrust: String = ""
