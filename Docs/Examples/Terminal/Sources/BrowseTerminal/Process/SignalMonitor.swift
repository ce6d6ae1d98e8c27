import Dispatch
import Foundation
import Synchronization

/// Turns the wish to stop (Ctrl-C, `kill`) into a cancellation, so that what was loaded is still shown.
///
/// The work is canceled by the first signal; a second one ends the process at once, for when the first does not help.
/// Nothing runs inside a signal handler: Dispatch hands the signal to a queue, where any code may run.
package final class Interrupt: Sendable {
    private struct State {
        var signal: Int32?
        // Kept because a source that nobody holds is canceled.
        var sources: [Source] = []
    }

    /// `@unchecked Sendable`: Dispatch's objects may be used from any thread, and this one is only held.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    private let state = Mutex(State())

    /// Creates a watch that hears nothing yet.
    package init() {}

    /// The first signal that came.
    package var signal: Int32? { state.withLock { $0.signal } }

    /// Listens to SIGINT and SIGTERM from now on.
    ///
    /// A signal that whoever started the process had it ignore, as `nohup` and a script's `&` do, stays ignored.
    package func watch(_ stop: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            let earlier = Foundation.signal(number, SIG_IGN)
            guard unsafeBitCast(earlier, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in
                let isFirst = self?.take(number) ?? false
                if isFirst { stop() } else { _exit(Outcome.interrupted(number).code) }
            }
            source.resume()
            let kept = Source(source: source)
            state.withLock { $0.sources.append(kept) }
        }
    }

    private func take(_ number: Int32) -> Bool {
        state.withLock { state in
            guard state.signal == nil else { return false }
            state.signal = number
            return true
        }
    }
}
