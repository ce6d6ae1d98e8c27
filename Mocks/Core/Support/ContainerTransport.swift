package import BrowseData
package import Foundation

/// A transport of the mocks, whose time limits and dates are those of its container.
package protocol ContainerTransport: HTTPTransport {
    /// Returns the transport with the clock and the dates of a container.
    ///
    /// A clock that a test has chosen stays.
    func measured(by clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) -> any HTTPTransport
}
