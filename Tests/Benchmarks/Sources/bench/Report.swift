import Foundation

/// Writes the results as a page for Docs, with a chart.
struct Report {
    private let comparisons: [Comparison]

    /// The titles of the sections, and the names that belong to each.
    private static let sections: KeyValuePairs = [
        "Pages": ["pages", "all"],
        "Middleware chain": ["chain", "process"],
        "Lists": ["list", "rows"],
        "Favorites": ["favorites"],
        "Images": ["image"],
    ]

    init(_ comparisons: [Comparison]) {
        self.comparisons = comparisons
    }

    /// Writes `Benchmarks.md` and `Images/benchmarks.svg` into a folder.
    func write(to docs: URL) throws {
        let images = docs.appending(path: "Images")
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        try Data(page.utf8).write(to: docs.appending(path: "Benchmarks.md"))
        try Data(Chart(comparisons).svg.utf8).write(to: images.appending(path: "benchmarks.svg"))
    }

    private var page: String {
        let date = Date.now.formatted(.iso8601.year().month().day())
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var text = """
            # Benchmarks

            BrowseKit next to bare code that does the same, in the same run: `URLSession` and `JSONDecoder` for requests, an
            array and a set for lists, SQLite's C functions for favorites.

            `make bench-report` writes this page. This run: \(date), \(Self.system), \(cores) cores.

            ![Each bar is a ratio: BrowseKit's cost divided by that of bare code](Images/benchmarks.svg)

            ## How to read the figures

            - **The ratio is BrowseKit's cost divided by that of bare code**, or by its own in the case after the slash. Below 1,
              it's faster, or uses less CPU time or memory. It's the median of pairs that are measured alternately, with the
              minimum and the maximum.
            - On a busy machine, ratios are more reliable than absolute times. The server is a process of its own, whose CPU time
              isn't counted.
            - **CPU** is the time of all threads of the process, *wall* the time that passes.
            - `make bench-check` fails if a line exceeds its bound. A bound without a unit is for the ratio, one with a unit for
              BrowseKit's median. Lines without a bound are for information.
            - [Tests/Benchmarks](../Tests/Benchmarks/README.md) describes each benchmark.


            """
        for (title, names) in Self.sections {
            let results = comparisons.filter { comparison in names.contains { comparison.name.hasPrefix($0 + "-") } }
            guard !results.isEmpty else { continue }
            text += "## \(title)\n\n\(Table(results).text)\n\n"
        }
        return text.trimmingCharacters(in: .newlines) + "\n"
    }

    private static var system: String {
        #if os(Linux)
        let system = "Linux"
        #else
        let system = "macOS \(ProcessInfo.processInfo.operatingSystemVersionString)"
        #endif
        #if arch(x86_64)
        return system + " (x86-64)"
        #else
        return system + " (ARM64)"
        #endif
    }
}
