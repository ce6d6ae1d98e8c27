import Foundation

/// A platform of the manifest, as conditional compilation sees it.
enum Platform: String, CaseIterable {
    case macOS, iOS, tvOS, watchOS, visionOS

    /// The modules in `canImport` conditions that this platform has.
    private static let present: Set = [
        "CryptoKit", "Darwin", "Dispatch", "Foundation", "ObjectiveC", "Observation", "Security", "SwiftUI",
        "Synchronization", "Testing",
    ]
    /// The modules in `canImport` conditions that it doesn't have.
    private static let absent: Set = [
        "Android", "Bionic", "CBrowseCurl", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "Glibc", "Musl", "WASILibc", "WinSDK",
    ]

    /// Replaces platform conditions with their values, without changing line numbers.
    ///
    /// Conditions with the same value become the same text, so that sources that differ only in the names of platforms are compiled
    /// once.
    func evaluatingConditions(in text: String) throws -> String {
        guard text.contains("#if") else { return text }
        return try text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.firstMatch(of: /^\s*#(if|elseif)\b/) != nil else { return String(line) }
            let operatingSystem = String(line).replacing(/\bos\((\w+)\)/) { $0.1 == rawValue ? "true" : "false" }
            for match in operatingSystem.matches(of: /\bcanImport\(([\w.]+)\)/) {
                let name = String(match.1)
                guard Self.present.contains(name) || Self.absent.contains(name) else {
                    throw Failure("Platform.swift doesn't say whether \(rawValue) has \(name):\n\(line)")
                }
            }
            return Self.folding(
                operatingSystem.replacing(/\bcanImport\(([\w.]+)\)/) {
                    Self.present.contains(String($0.1)) ? "true" : "false"
                }
            )
        }.joined(separator: "\n")
    }

    /// Replaces operators on literals with their values.
    ///
    /// `&&` binds more tightly than `||`, which therefore isn't replaced next to it.
    private static func folding(_ condition: String) -> String {
        let next =
            condition
            .replacing(/!(true|false)\b/) { $0.1 == "true" ? "false" : "true" }
            .replacing(/\((true|false)\)/) { $0.1 }
            .replacing(/\b(true|false) && (true|false)\b/) { $0.1 == "true" ? $0.2 : "false" }
        let last = next.replacing(/^([^&]*)\b(true|false) \|\| (true|false)\b([^&]*)$/) {
            "\($0.1)\($0.2 == "true" ? "true" : $0.3)\($0.4)"
        }
        return last == condition ? last : folding(last)
    }
}

/// The message of a failed check.
struct Failure: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
