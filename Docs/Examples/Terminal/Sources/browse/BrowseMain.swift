import BrowseTerminal
import Foundation

/// Connects the tool to the arguments, streams, signals, and exit code of the process.
@main
struct BrowseMain {
    static func main() async {
        let signals = SignalMonitor()
        let context = ProcessContext.process(stopSignal: { signals.signal })
        let arguments = Array(CommandLine.arguments.dropFirst())
        let work = Task { await Tool.run(arguments, in: context) }
        signals.watch { work.cancel() }
        let outcome = await work.value
        if case .interrupted(let number) = outcome { SignalMonitor.endProcess(by: number) }
        exit(outcome.code)
    }
}
