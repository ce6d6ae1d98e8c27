import BrowseDomain
import Foundation

extension ImageLimits {
    /// The default of ``memoryBytes`` in this process.
    ///
    /// 4 MiB in app extensions, which the system ends at a fraction of an app's memory (App Extension Programming Guide,
    /// "Optimize Efficiency and Performance"); 8 MiB on watches; else a 64th of the device's memory, 16 to 64 MiB.
    public static var defaultMemoryBytes: Int {
        #if os(watchOS)
        let isWatch = true
        #else
        let isWatch = false
        #endif
        return memoryBytes(
            physicalMemory: ProcessInfo.processInfo.physicalMemory,
            isWatch: isWatch,
            bundle: Bundle.main.bundleURL
        )
    }

    static func memoryBytes(physicalMemory: UInt64, isWatch: Bool, bundle: URL) -> Int {
        if bundle.pathExtension == "appex" { return 4 << 20 }
        if isWatch { return 8 << 20 }
        return Int(clamping: (physicalMemory / 64).clamped(to: 16 << 20...64 << 20))
    }
}
