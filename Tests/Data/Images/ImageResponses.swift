import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Testing

/// Requests that wait until a test answers them.
struct HeldTransport: HTTPTransport {
    let responses = ControlledResponses<HTTPRequest, HTTPResponse>()

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        try await responses.response(to: request)
    }

    /// The last part of the address of each request so far.
    var names: [String] { responses.requests.map(\.url.lastPathComponent) }

    /// Answers a request with a picture.
    func answer(_ index: Int) {
        let requests = responses.requests
        guard requests.indices.contains(index) else {
            Issue.record("There is no request \(index).")
            return
        }
        responses.answer(index, with: .success(.picture(for: requests[index])))
    }
}

/// Answers each request at once, and counts them.
struct PictureTransport: HTTPTransport {
    let requests = ControlledResponses<URL, Void>()
    var failure: BrowseError?
    var bytes = 0

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        requests.answer(requests.requests.count, with: .success(()))
        try await requests.response(to: request.url)
        if let failure { throw failure }
        return .picture(for: request, bytes: bytes)
    }

    var count: Int { requests.requests.count }
}

extension HTTPResponse {
    /// A picture of its own for each address.
    static func picture(for request: HTTPRequest, bytes: Int = 0) -> HTTPResponse {
        let picture = DrawnImage.png(for: request.url.absoluteString, bytes: bytes)
        return HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], body: picture, url: request.url)
    }
}

extension LoopbackResponse {
    /// A picture of its own for each target.
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

    /// A picture that is nowhere but in a test.
    static func example(_ name: String) -> ImageRequest {
        ImageRequest("https://images.example/\(name)")
    }
}

extension ImageRepository {
    /// Loads a picture with a priority.
    func load(_ request: ImageRequest, _ priority: LoadPriority = .visible) async -> Result<EncodedImage, BrowseError> {
        await Result.of { () throws(BrowseError) in
            try await LoadOptions(priority: priority).load { () throws(BrowseError) in
                try await image(for: request)
            }.value
        }
    }

    /// Loads a picture in a task of its own.
    func begin(
        _ request: ImageRequest,
        _ priority: LoadPriority = .visible
    ) -> Task<Result<EncodedImage, BrowseError>, Never> {
        Task { await load(request, priority) }
    }

    /// Where a picture is told to have come from.
    func provenance(
        of request: ImageRequest,
        source: LoadOptions.Source = .network
    ) async throws(BrowseError) -> Provenance {
        try await LoadOptions(source: source).load { () throws(BrowseError) in try await image(for: request) }
            .provenance
    }
}
