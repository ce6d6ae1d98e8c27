public import BrowseData
public import Foundation

/// Recorded exchanges with servers, without secrets, to replay in tests.
///
/// Record with ``RecordingTransport``, and replay with ``ReplayingTransport`` or the trait
/// `.replay` of BrowseCoreTesting. On disk, a recording is a folder with a text file for each
/// exchange, or an HTTP Archive (HAR).
public struct Recording: Hashable, Sendable {
    /// A request, and its response or failure.
    public struct Exchange: Hashable, Sendable {
        /// The result of a request.
        public enum Outcome: Hashable, Sendable {
            /// A complete response.
            case response(Response)
            /// A failed connection, as a code of `URLError`.
            case failure(URLError.Code)
        }

        /// A recorded response.
        public struct Response: Hashable, Sendable {
            /// The status code.
            public var status: Int
            /// The header fields.
            public var headers: HTTPHeaders
            /// The body, decompressed.
            public var body: Data
            /// The final URL, if the request was redirected.
            public var url: URL?

            /// Creates a response.
            public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL? = nil) {
                self.status = status
                self.headers = headers
                self.body = body
                self.url = url
            }
        }

        /// The request's method.
        public var method: HTTPMethod
        /// The request's URL.
        public var url: URL
        /// The request's header fields.
        public var headers: HTTPHeaders
        /// The request's body.
        public var body: Data?
        /// The response or failure.
        public var outcome: Outcome
        /// The position in the order in which the exchanges completed, starting at 1.
        public var completion: Int

        /// Creates an exchange.
        public init(
            method: HTTPMethod = .get,
            url: URL,
            headers: HTTPHeaders = [:],
            body: Data? = nil,
            outcome: Outcome,
            completion: Int
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.outcome = outcome
            self.completion = completion
        }
    }

    /// A recording that can't be read.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// A description of the file or folder, the problem, and its solution.
        public let description: String

        init(_ place: URL, _ problem: String) {
            description = "\(place.path(percentEncoded: false)): \(problem)"
        }
    }

    /// The exchanges in the order in which their requests were sent.
    public var exchanges: [Exchange]
    /// The folder or file that the recording was read from.
    public internal(set) var source: URL?

    /// Creates a recording.
    public init(exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// Whether two recordings have equal exchanges, wherever they were read from.
    public static func == (one: Recording, other: Recording) -> Bool { one.exchanges == other.exchanges }

    /// Hashes the exchanges.
    public func hash(into hasher: inout Hasher) { hasher.combine(exchanges) }
}

extension Recording {
    /// Reads a recording from a folder, or from a file whose extension is `har`.
    ///
    /// - Throws: ``Unreadable`` if it's missing or damaged, or if a HAR file has no bodies.
    public init(contentsOf place: URL) throws(Unreadable) {
        if Self.isArchive(place) {
            guard let data = try? Data(contentsOf: place) else { throw Unreadable(place, Self.missing(place)) }
            try self.init(har: data, from: place)
        } else {
            guard
                let files = try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
                    .filter({ $0.pathExtension == ExchangeFile.fileExtension })
                    .sorted(by: { ExchangeFile.order(of: $0) < ExchangeFile.order(of: $1) }), !files.isEmpty
            else { throw Unreadable(place, Self.missing(place)) }
            self.init()
            for file in files {
                guard let data = try? Data(contentsOf: file), let exchange = ExchangeFile.exchange(in: data) else {
                    throw Unreadable(file, "The file is no recorded exchange. Restore it, or record the folder again.")
                }
                exchanges.append(exchange)
            }
        }
        source = place
    }

    /// Writes a file for each exchange to a folder, and replaces an earlier recording.
    ///
    /// The names, such as `001-GET-users-octocat.http`, begin with the number of the request, so
    /// recordings of the same traffic are easy to compare.
    ///
    /// - Throws: An error of Foundation if the folder can't be written.
    public func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in try manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where ExchangeFile.isRecorded(file) {
            try manager.removeItem(at: file)
        }
        for (index, exchange) in exchanges.enumerated() {
            let name = ExchangeFile.name(of: exchange, number: index + 1)
            try ExchangeFile.data(of: exchange).write(to: folder.appending(path: name), options: .atomic)
        }
    }

    /// Says how to record, with code that compiles.
    private static func missing(_ place: URL) -> String {
        if !isArchive(place), (try? Data(contentsOf: place)) != nil {
            return "This is a file. The name of an HTTP Archive ends with .har."
        }
        let write =
            isArchive(place)
            ? "recorder.recording.har(includingBodies: true).write(to: file)" : "recorder.recording.write(to: folder)"
        return """
            There is no recording. Record one with RecordingTransport, and write it there: try \(write). In a test, the trait \
            .replay writes it with mode: .recordMissing(from: HTTPClient.makeTransport()).
            """
    }

    private static func isArchive(_ place: URL) -> Bool { place.pathExtension.lowercased() == "har" }

    /// Writes a HAR file with bodies or a folder, according to the extension.
    package func save(to place: URL) throws {
        guard Self.isArchive(place) else { return try write(to: place) }
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try har(includingBodies: true).write(to: place, options: .atomic)
    }
}
