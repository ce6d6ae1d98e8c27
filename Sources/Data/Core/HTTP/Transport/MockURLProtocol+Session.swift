import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension MockURLProtocol.Registration {
    /// Returns a configuration for sessions of an app's own, whose requests go to the handler.
    ///
    /// ```swift
    /// let session = URLSession(configuration: mock.sessionConfiguration())
    /// ```
    ///
    /// The handler receives requests to all hosts, and the additional header fields of the base configuration. Nothing is sent or
    /// cached. Each call returns a configuration that only this registration uses, so tests run in parallel.
    ///
    /// Retain the registration as long as you use the sessions.
    ///
    /// - Parameter base: The configuration to copy; set its header fields before.
    public func sessionConfiguration(_ base: URLSessionConfiguration = .ephemeral) -> URLSessionConfiguration {
        let configuration = (base.copy() as? URLSessionConfiguration) ?? .ephemeral
        let loader = SessionLoaders.next()
        configuration.protocolClasses = [loader]
        configuration.urlCache = nil
        var fields = HTTPHeaders()
        for case let (name as String, value) in configuration.httpAdditionalHeaders ?? [:] { fields[name] = "\(value)" }
        // On Linux, the requests that loaders receive don't contain the session's fields.
        register(
            { [handler, fields] request in
                var request = request
                for (name, value) in fields.fields where request.headers[name] == nil { request.headers[name] = value }
                return await handler(request)
            },
            as: loader.typeKey,
            for: Self.reporter
        )
        return configuration
    }

    /// On Linux, its session provides the queue for reports to all sessions, because they share one.
    private static let reporter = URLSessionTransport()
}

/// The loader of a session with a number.
///
/// A session creates its loader itself and passes it nothing but a request, so only the loader's type can identify the session.
private final class SessionLoader<Number>: MockURLProtocol {}

/// A number as a type, digit by digit: generic types can be created at run time.
private protocol SessionNumber {}

private enum Zero: SessionNumber {}
private enum Even<Half>: SessionNumber {}
private enum Odd<Half>: SessionNumber {}

extension SessionNumber {
    fileprivate static var loader: MockURLProtocol.Type { SessionLoader<Self>.self }
    fileprivate static var doubled: any SessionNumber.Type { Even<Self>.self }
    fileprivate static var doubledAndOne: any SessionNumber.Type { Odd<Self>.self }
}

private enum SessionLoaders {
    private static let lastNumber = Mutex(0)

    /// Creates a loader type that no other session uses.
    static func next() -> MockURLProtocol.Type {
        var rest = lastNumber.withLock { number in
            number += 1
            return number
        }
        var type: any SessionNumber.Type = Zero.self
        while rest > 0 {
            type = rest.isMultiple(of: 2) ? type.doubled : type.doubledAndOne
            rest /= 2
        }
        return type.loader
    }
}
