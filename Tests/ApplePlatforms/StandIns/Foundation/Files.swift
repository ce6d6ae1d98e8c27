// Declarations of Apple's Foundation: files, bundles, and processes, from developer.apple.com/documentation/foundation.

// Not Sendable, because the documentation doesn't state it.
open class FileManager: NSObject {
    public struct SearchPathDirectory: Sendable {
        public static let cachesDirectory = Self()
        public static let documentDirectory = Self()
        public static let applicationSupportDirectory = Self()
    }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let userDomainMask = Self(rawValue: 1)
    }
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let skipsHiddenFiles = Self(rawValue: 4)
    }

    open class var `default`: FileManager { standIn() }
    open var temporaryDirectory: URL { standIn() }
    open var currentDirectoryPath: String { standIn() }
    #if os(macOS)
    open var homeDirectoryForCurrentUser: URL { standIn() }
    #endif
    open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { standIn() }
    open func url(
        for directory: SearchPathDirectory,
        in domain: SearchPathDomainMask,
        appropriateFor url: URL?,
        create shouldCreate: Bool
    ) throws -> URL { standIn() }
    open func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { standIn() }
    open func createDirectory(
        at url: URL,
        withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws { standIn() }
    open func createDirectory(
        atPath path: String,
        withIntermediateDirectories createIntermediates: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws { standIn() }
    open func createSymbolicLink(at url: URL, withDestinationURL destURL: URL) throws { standIn() }
    open func createSymbolicLink(atPath path: String, withDestinationPath destPath: String) throws { standIn() }
    open func enumerator(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = [],
        errorHandler handler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { standIn() }
    open func enumerator(atPath path: String) -> DirectoryEnumerator? { standIn() }
    open func subpathsOfDirectory(atPath path: String) throws -> [String] { standIn() }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { standIn() }
    open func contentsOfDirectory(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = []
    ) throws -> [URL] { standIn() }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { standIn() }
    open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws { standIn() }
    @discardableResult
    open func createFile(
        atPath path: String,
        contents data: Data?,
        attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool { standIn() }
    open func fileExists(atPath path: String) -> Bool { standIn() }
    open func contents(atPath path: String) -> Data? { standIn() }
    open func copyItem(atPath srcPath: String, toPath dstPath: String) throws { standIn() }
    open func copyItem(at srcURL: URL, to dstURL: URL) throws { standIn() }
    open func moveItem(at srcURL: URL, to dstURL: URL) throws { standIn() }
    open func moveItem(atPath srcPath: String, toPath dstPath: String) throws { standIn() }
    open func removeItem(at URL: URL) throws { standIn() }
    open func removeItem(atPath path: String) throws { standIn() }
}

extension FileManager {
    open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
        public func next() -> Any? { standIn() }
    }
}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { standIn() }
    public static let isExcludedFromBackupKey = URLResourceKey(rawValue: "")
    public static let fileSizeKey = URLResourceKey(rawValue: "")
}

public struct URLResourceValues {
    public init() { standIn() }
    public var isExcludedFromBackup: Bool? {
        get { standIn() }
        set { standIn() }
    }
    public var fileSize: Int? { standIn() }
}

extension URL {
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { standIn() }
    public mutating func setResourceValues(_ values: URLResourceValues) throws { standIn() }
    public static var applicationSupportDirectory: URL { standIn() }
    public static var documentsDirectory: URL { standIn() }
    public static var cachesDirectory: URL { standIn() }
    public static var temporaryDirectory: URL { standIn() }
}

open class Bundle: NSObject, @unchecked Sendable {
    open class var main: Bundle { standIn() }
    open class var allBundles: [Bundle] { standIn() }
    open func object(forInfoDictionaryKey key: String) -> Any? { standIn() }
    public init?(path: String) { standIn() }
    public convenience init?(url: URL) { standIn() }
    public init(for aClass: AnyClass) { standIn() }
    open var bundleURL: URL { standIn() }
    open var bundlePath: String { standIn() }
    open var resourceURL: URL? { standIn() }
    open var bundleIdentifier: String? { standIn() }
    open var infoDictionary: [String: Any]? { standIn() }
    open func url(forResource name: String?, withExtension ext: String?) -> URL? { standIn() }
    open func url(
        forResource name: String?,
        withExtension ext: String?,
        subdirectory subpath: String?,
        localization localizationName: String?
    ) -> URL? { standIn() }
    open func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        standIn()
    }
}

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { standIn() }
    open var environment: [String: String] { standIn() }
    open var arguments: [String] { standIn() }
    open var processorCount: Int { standIn() }
    open var activeProcessorCount: Int { standIn() }
    open var physicalMemory: UInt64 { standIn() }
    open var systemUptime: TimeInterval { standIn() }
    open var processName: String {
        get { standIn() }
        set { standIn() }
    }
    open var processIdentifier: Int32 { standIn() }
    open var globallyUniqueString: String { standIn() }
    #if !os(macOS)
    open func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        standIn()
    }
    #endif
}

open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardOutput: FileHandle { standIn() }
    open class var standardError: FileHandle { standIn() }
    public convenience init(forWritingTo url: URL) throws { standIn() }
    public convenience init(forReadingFrom url: URL) throws { standIn() }
    public convenience init(forUpdating url: URL) throws { standIn() }
    open func write(_ data: Data) { standIn() }
    public func write(contentsOf data: some DataProtocol) throws { standIn() }
    public func readToEnd() throws -> Data? { standIn() }
    public func read(upToCount count: Int) throws -> Data? { standIn() }
    public func seekToEnd() throws -> UInt64 { standIn() }
    public func seek(toOffset offset: UInt64) throws { standIn() }
    public func truncate(atOffset offset: UInt64) throws { standIn() }
    public func close() throws { standIn() }
    open var fileDescriptor: Int32 { standIn() }
}
