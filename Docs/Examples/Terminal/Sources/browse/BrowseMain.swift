import BrowseTerminal
import Foundation

/// Connects the tool to the process: its arguments, streams, signals and exit code. Everything else can be tested.
@main
struct BrowseMain {
    static func main() async {
        let interrupt = Interrupt()
        let surroundings = Surroundings.process(stopSignal: { interrupt.signal })
        let arguments = Array(CommandLine.arguments.dropFirst())
        let work = Task { await Tool.run(arguments, in: surroundings) }
        interrupt.watch { work.cancel() }
        exit(await work.value.code)
    }
}
