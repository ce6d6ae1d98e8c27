import Foundation

// From the environment, because libFuzzer restarts the program with its own arguments.
let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(name.isEmpty ? 0 : 2)
}
exit(target.run())
