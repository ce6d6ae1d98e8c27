@_spi(Services) public import BrowseCore
import Foundation

/// Checks that every slot of a container resolves, including an app's own.
///
/// ```swift
/// let slots = ContainerSlots(own: ["greeter": { $0.greeter() }])
/// #expect(slots.unresolved(in: container) == [])
/// let unlisted = try slots.unlisted(in: "Sources")
/// #expect(unlisted == [])
/// ```
public struct ContainerSlots: Sendable {
    /// Resolves a slot.
    public typealias Resolver = @Sendable (Container) -> Any

    /// A folder without readable Swift files.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// The folder or file, and what to do.
        public let description: String
    }

    private let slots: [String: Resolver]

    /// Creates a check of the core's slots and an app's or a service's own.
    ///
    /// - Parameter own: The other slots, by the names of their properties.
    public init(own: [String: Resolver] = [:]) {
        slots = Self.core.merging(own) { $1 }
    }

    private init(slots: [String: Resolver]) {
        self.slots = slots
    }

    /// Returns a check of these slots and others.
    public func adding(_ others: ContainerSlots) -> ContainerSlots {
        ContainerSlots(slots: slots.merging(others.slots) { $1 })
    }

    /// Resolves every slot; a factory that leads back to itself stops the program with the chain by
    /// name.
    ///
    /// - Returns: The names of the slots whose values are `nil`.
    public func unresolved(in container: Container) -> [String] {
        slots.filter { slot in
            let value = Mirror(reflecting: slot.value(container))
            return value.displayStyle == .optional && value.children.isEmpty
        }
        .keys.sorted()
    }

    /// Finds slots that are declared in the Swift files of a folder, and aren't checked.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the folder, or that from the package: the nearest folder
    ///     above the test with a `Package.swift`.
    ///   - filePath: The path of the test's file.
    /// - Returns: The names of their properties.
    /// - Throws: ``Unreadable`` if the folder has no Swift files, or one can't be read.
    public func unlisted(in path: String, filePath: String = #filePath) throws(Unreadable) -> [String] {
        var package = URL(filePath: filePath).deletingLastPathComponent()
        func hasManifest(_ folder: URL) -> Bool {
            let manifest = folder.appending(path: "Package.swift")
            return FileManager.default.fileExists(atPath: manifest.path(percentEncoded: false))
        }
        while package.path() != "/", !hasManifest(package) { package.deleteLastPathComponent() }
        let folder = URL(filePath: path, directoryHint: .isDirectory, relativeTo: package)
        let place = folder.path(percentEncoded: false)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: place))?.filter { $0.hasSuffix(".swift") }
        guard let names, !names.isEmpty else {
            let remedy =
                hasManifest(package)
                ? "Pass its path from \(package.path(percentEncoded: false)), or an absolute one."
                : "Pass an absolute path, since no folder above \(filePath) has a Package.swift."
            throw Unreadable(description: "\(place) has no Swift files. \(remedy)")
        }
        var declared: Set<String> = []
        for name in names {
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
                throw Unreadable(description: "\(name) in \(place) isn't readable as UTF-8.")
            }
            // A declaration can have several lines, which can end as on Windows.
            let lines = text.split(whereSeparator: \.isNewline).filter { !$0.drop { $0.isWhitespace }.hasPrefix("//") }
            for match in lines.joined(separator: "\n").matches(of: /var (\w+)\s*:\s*(?:Container\.)?Dependency</) {
                declared.insert(String(match.output.1))
            }
        }
        return declared.subtracting(slots.keys).sorted()
    }

    private static let core: [String: Resolver] = [
        "transport": { $0.transport() },
        "responseCache": { $0.responseCache() },
        "texts": { $0.texts() },
        "screenOptions": { $0.screenOptions() },
        "favoriteRepository": { $0.favoriteRepository() },
        "imageRepository": { $0.imageRepository() },
    ]
}
