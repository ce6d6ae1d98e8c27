import Foundation

/// An observer that prints a line for each event.
public struct ExchangePrinter: HTTPObserver {
    private let print: @Sendable (String) -> Void

    /// Creates a printer.
    ///
    /// - Parameter print: Receives each line, from any task; by default, prints to standard output.
    public init(print: @escaping @Sendable (String) -> Void = { Swift.print($0) }) {
        self.print = print
    }

    /// Prints an event.
    public func observe(_ event: HTTPEvent) {
        let time = event.date.formatted(.iso8601.time(includingFractionalSeconds: true))
        print("\(time) #\(event.exchange) \(event.description)")
    }
}
