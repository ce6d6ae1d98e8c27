import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `The privacy manifest` {
    /// The APIs that need a reason, by category.
    ///
    /// Source: Apple's "Describing use of required reason API".
    private static let requiredReasonAPIs: [String: [String]] = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
            "contentModificationDate", "getattrlist", "getattrlistbulk", "fgetattrlist", "stat", "fstat", "fstatat",
            "lstat",
            "getattrlistat",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
            "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "volumeAvailableCapacity",
            "volumeAvailableCapacityForImportantUsage", "volumeAvailableCapacityForOpportunisticUsage",
            "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
        ],
        "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]

    private func manifest(at url: URL) throws -> [String: Any] {
        let contents = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        return try #require(contents as? [String: Any])
    }

    private func declaredReasons(_ manifest: [String: Any]) throws -> [String: [String]] {
        let entries = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        return try entries.reduce(into: [:]) { reasons, entry in
            let category = try #require(entry["NSPrivacyAccessedAPIType"] as? String)
            reasons[category] = try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
        }
    }

    /// The categories of the APIs that the sources in a folder use.
    private func usedCategories(in folder: URL) throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<Substring> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard !line.drop(while: \.isWhitespace).hasPrefix("//") else { continue }
                names.formUnion(line.split { !($0.isLetter || $0.isNumber || $0 == "_") })
            }
        }
        #expect(!names.isEmpty, "\(folder)")
        return Set(Self.requiredReasonAPIs.filter { $0.value.contains { names.contains($0[...]) } }.keys)
    }

    @Test func `is in the bundle, and declares no tracking and no collected data`() throws {
        let url = try #require(Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy"))
        let manifest = try manifest(at: url)
        let keys = [
            "NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes", "NSPrivacyTracking", "NSPrivacyTrackingDomains",
        ]
        #expect(manifest.keys.sorted() == keys)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        #expect(try declaredReasons(manifest) == ["NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1"]])
    }

    // Only if the sources are available.
    #if os(Linux) || os(macOS)
    @Test(
        arguments: ["Sources/BrowseKit/All", "Mocks"]
            + ["Domain", "Data", "Presentation", "BrowseKit"].flatMap { layer in
                ["Core", "GitHub", "RickAndMorty", "AppStore"].map { "Sources/\(layer)/\($0)" }
            }
    )
    func `declares exactly the categories of the APIs that a target uses`(target: String) throws {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: target, directoryHint: .isDirectory)
        let file = folder.appending(path: "PrivacyInfo.xcprivacy", directoryHint: .notDirectory)
        let isThere = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
        let declared = isThere ? try declaredReasons(try manifest(at: file)) : [:]
        #expect(try usedCategories(in: folder) == Set(declared.keys))
    }
    #endif
}
