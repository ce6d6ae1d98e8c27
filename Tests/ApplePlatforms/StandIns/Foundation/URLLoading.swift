// Declarations of Apple's Foundation: requests, responses, and protocols, from
// developer.apple.com/documentation/foundation/url_loading_system.

open class NSURLRequest: NSObject {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0
        case reloadIgnoringLocalCacheData = 1
        case reloadIgnoringLocalAndRemoteCacheData = 4
        case returnCacheDataElseLoad = 2
        case returnCacheDataDontLoad = 3
        case reloadRevalidatingCacheData = 5
    }
}

public struct URLRequest: Hashable, Sendable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {
        standIn()
    }
    public var url: URL? {
        get { standIn() }
        set { standIn() }
    }
    public var cachePolicy: CachePolicy {
        get { standIn() }
        set { standIn() }
    }
    public var timeoutInterval: TimeInterval {
        get { standIn() }
        set { standIn() }
    }
    public var httpMethod: String? {
        get { standIn() }
        set { standIn() }
    }
    public var allHTTPHeaderFields: [String: String]? {
        get { standIn() }
        set { standIn() }
    }
    public var httpBody: Data? {
        get { standIn() }
        set { standIn() }
    }
    public var httpBodyStream: InputStream? {
        get { standIn() }
        set { standIn() }
    }
    public var httpShouldHandleCookies: Bool {
        get { standIn() }
        set { standIn() }
    }
    public func value(forHTTPHeaderField field: String) -> String? { standIn() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { standIn() }
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { standIn() }
}

open class URLResponse: NSObject, @unchecked Sendable {
    public init(url: URL, mimeType: String?, expectedContentLength length: Int, textEncodingName name: String?) {
        standIn()
    }
    open var url: URL? { standIn() }
    open var mimeType: String? { standIn() }
    open var expectedContentLength: Int64 { standIn() }
    open var textEncodingName: String? { standIn() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) {
        standIn()
    }
    open var statusCode: Int { standIn() }
    open var allHeaderFields: [AnyHashable: Any] { standIn() }
    open func value(forHTTPHeaderField field: String) -> String? { standIn() }
    open class func localizedString(forStatusCode statusCode: Int) -> String { standIn() }
}

open class CachedURLResponse: NSObject, @unchecked Sendable {}

// Not Sendable.
open class URLProtocol: NSObject {
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) { standIn() }
    open var client: (any URLProtocolClient)? { standIn() }
    open var request: URLRequest { standIn() }
    open var cachedResponse: CachedURLResponse? { standIn() }
    open class func canInit(with request: URLRequest) -> Bool { standIn() }
    open class func canInit(with task: URLSessionTask) -> Bool { standIn() }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { standIn() }
    open class func registerClass(_ protocolClass: AnyClass) -> Bool { standIn() }
    open class func unregisterClass(_ protocolClass: AnyClass) { standIn() }
    open func startLoading() { standIn() }
    open func stopLoading() { standIn() }
}

// Not Sendable.
public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}

extension URLCache {
    public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed }
}

public let NSURLErrorDomain: String = ""
public let NSPOSIXErrorDomain: String = ""

public struct URLError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { standIn() }
    }

    public let code: Code
    public init(_ code: Code, userInfo: [String: Any] = [:]) { standIn() }
    public var errorCode: Int { standIn() }
    public var errorUserInfo: [String: Any] { standIn() }
    public var userInfo: [String: Any] { standIn() }
    public var localizedDescription: String { standIn() }
    public var failingURL: URL? { standIn() }
    public static var errorDomain: String { standIn() }
}

extension URLError.Code {
    private static func code() -> Self { standIn() }
    public static var unknown: Self { code() }
    public static var cancelled: Self { code() }
    public static var badURL: Self { code() }
    public static var timedOut: Self { code() }
    public static var unsupportedURL: Self { code() }
    public static var cannotFindHost: Self { code() }
    public static var cannotConnectToHost: Self { code() }
    public static var networkConnectionLost: Self { code() }
    public static var dnsLookupFailed: Self { code() }
    public static var httpTooManyRedirects: Self { code() }
    public static var resourceUnavailable: Self { code() }
    public static var notConnectedToInternet: Self { code() }
    public static var redirectToNonExistentLocation: Self { code() }
    public static var badServerResponse: Self { code() }
    public static var userCancelledAuthentication: Self { code() }
    public static var userAuthenticationRequired: Self { code() }
    public static var zeroByteResource: Self { code() }
    public static var cannotDecodeRawData: Self { code() }
    public static var cannotDecodeContentData: Self { code() }
    public static var cannotParseResponse: Self { code() }
    public static var internationalRoamingOff: Self { code() }
    public static var callIsActive: Self { code() }
    public static var dataNotAllowed: Self { code() }
    public static var dataLengthExceedsMaximum: Self { code() }
    public static var secureConnectionFailed: Self { code() }
    public static var serverCertificateHasBadDate: Self { code() }
    public static var serverCertificateUntrusted: Self { code() }
    public static var serverCertificateHasUnknownRoot: Self { code() }
    public static var serverCertificateNotYetValid: Self { code() }
    public static var clientCertificateRejected: Self { code() }
    public static var clientCertificateRequired: Self { code() }
    public static var appTransportSecurityRequiresSecureConnection: Self { code() }
}

extension URLError {
    public static var unknown: Code { .unknown }
    public static var cancelled: Code { .cancelled }
    public static var timedOut: Code { .timedOut }
    public static var badServerResponse: Code { .badServerResponse }
    public static var notConnectedToInternet: Code { .notConnectedToInternet }
    public static var networkConnectionLost: Code { .networkConnectionLost }
    public static var cannotConnectToHost: Code { .cannotConnectToHost }
    public static var cannotFindHost: Code { .cannotFindHost }
    public static var resourceUnavailable: Code { .resourceUnavailable }
}

public func ~= (code: URLError.Code, error: any Error) -> Bool { standIn() }
