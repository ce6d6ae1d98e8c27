import Dispatch
import Foundation
import Synchronization

/// Cancels the run on SIGINT or SIGTERM, so that loaded rows are still shown.
///
/// A second signal ends the process immediately. Dispatch delivers signals on a queue, so no code runs in a signal handler.
package final class SignalMonitor: Sendable {
    private struct State {
        var signal: Int32?
        // Retained, because releasing a source cancels it.
        var sources: [Source] = []
    }

    /// `@unchecked Sendable`: Dispatch's objects are thread-safe, and this one is only retained.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    private let state = Mutex(State())

    /// Creates an inactive monitor.
    package init() {}

    /// The first signal received.
    package var signal: Int32? { state.withLock { $0.signal } }

    /// Starts monitoring SIGINT and SIGTERM.
    ///
    /// Signals that the parent process set to be ignored, as `nohup` and `&` in scripts do, stay ignored.
    package func watch(_ stop: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            let earlier = Foundation.signal(number, SIG_IGN)
            guard unsafeBitCast(earlier, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in
                let isFirst = self?.take(number) ?? false
                if isFirst { stop() } else { Self.endProcess(by: number) }
            }
            source.resume()
            let retained = Source(source: source)
            state.withLock { $0.sources.append(retained) }
        }
    }

    /// Ends the process by a signal.
    ///
    /// A shell goes on with a loop or script after a program that exits, whatever its exit code; it ends only with
    /// one that a signal has ended (www.cons.org/cracauer/sigint.html). The exit code that it reports is the same.
    package static func endProcess(by number: Int32) -> Never {
        _ = Foundation.signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        // Dispatch blocks signals on its threads.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(Outcome.interrupted(number).code)
    }

    private func take(_ number: Int32) -> Bool {
        state.withLock { state in
            guard state.signal == nil else { return false }
            state.signal = number
            return true
        }
    }
}
