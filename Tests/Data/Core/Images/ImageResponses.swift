import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Testing

/// A transport with requests that wait until a test responds.
struct HeldTransport: HTTPTransport {
    let responses = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        try await responses.response(to: request)
    }

    /// The last path component of each request so far.
    var names: [String] { responses.requests.map(\.url.lastPathComponent) }

    /// Responds to a request with an image.
    func answer(_ index: Int) {
        let requests = responses.requests
        guard requests.indices.contains(index) else {
            Issue.record("There is no request \(index).")
            return
        }
        responses.answer(index, with: .success(.picture(for: requests[index])))
    }
}

/// A transport that responds immediately and counts requests.
struct ImageTransport: HTTPTransport {
    let requests = Monitor<[URL]>([])
    var failure: BrowseError?
    var bytes = 0

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        requests.withLock { $0.append(request.url) }
        if let failure { throw failure }
        return .picture(for: request, bytes: bytes)
    }

    var count: Int { requests.value.count }
}

extension HTTPClient.Response {
    /// Returns an image that is unique per URL.
    static func picture(for request: HTTPClient.Request, bytes: Int = 0) -> HTTPClient.Response {
        let picture = DrawnImage.png(for: request.url.absoluteString, bytes: bytes)
        return HTTPClient.Response(status: 200, headers: ["Content-Type": "image/png"], body: picture, url: request.url)
    }
}

extension LoopbackResponse {
    /// Returns an image that is unique per target.
    static func picture(for request: LoopbackServer.Request, bytes: Int = 0) -> LoopbackResponse {
        .image(DrawnImage.png(for: request.target, bytes: bytes))
    }

    static func image(_ data: Data, type: String = "image/png") -> LoopbackResponse {
        LoopbackResponse(headers: [("Content-Type", type)], body: Array(data))
    }
}

extension ImageRequest {
    init(_ address: String, side: Int? = nil) {
        self.init(WebAddress(rawValue: address), side: side)
    }

    /// A request for an image of the tests.
    static func example(_ name: String) -> ImageRequest {
        ImageRequest("https://images.example/\(name)")
    }
}

extension ImageRepository {
    /// Loads an image with a priority.
    func load(_ request: ImageRequest, _ priority: LoadPriority = .visible) async -> Result<EncodedImage, BrowseError> {
        await Result.of { () throws(BrowseError) in
            try await LoadOptions(priority: priority).load { () throws(BrowseError) in
                try await image(for: request)
            }.value
        }
    }

    /// Loads an image in a new task.
    func begin(
        _ request: ImageRequest,
        _ priority: LoadPriority = .visible
    ) -> Task<Result<EncodedImage, BrowseError>, Never> {
        Task { await load(request, priority) }
    }

    /// Loads an image and returns its provenance.
    func provenance(
        of request: ImageRequest,
        source: LoadOptions.Source = .network
    ) async throws(BrowseError) -> Provenance {
        try await LoadOptions(source: source).load { () throws(BrowseError) in try await image(for: request) }
            .provenance
    }
}
