import BrowseMocks
import Synchronization

/// A server of numbered pages in GitHub's format, with responses that the test controls.
///
/// Page 1 is sent immediately. Other requests are open from their arrival until ``release(_:)``.
final class PageServer: Sendable {
    /// The links of a page to others.
    enum Links: Sendable {
        case nextAndLast, nextOnly, none
    }

    private struct State {
        var gates: [Int: LoopbackGate] = [:]
        var open = 0
        var mostOpen = 0
        var arrivals: [Int] = []
    }

    private final class Core: Sendable {
        let state = Mutex(State())
    }

    private let core: Core
    /// The server itself.
    let server: LoopbackServer
    /// The numbers of requested pages after the first, in the order of arrival.
    let arrivals: AsyncStream<Int>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - count: The number of pages, with two rows each.
    ///   - links: The content of the `Link` header.
    ///   - isHeld: Whether pages after the first wait for ``release(_:)``.
    ///   - special: Returns a replacement for a page, or `nil`.
    init(
        count: Int,
        links: Links = .nextAndLast,
        isHeld: Bool = false,
        special: @escaping @Sendable (Int) -> LoopbackResponse? = { _ in nil }
    ) throws {
        let core = Core()
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int.self)
        self.core = core
        self.arrivals = arrivals
        server = try LoopbackServer { request in
            let number = Self.number(of: request)
            let response = special(number) ?? Self.page(number, of: count, links: links, for: request)
            guard number > 1, isHeld else {
                core.state.withLock { $0.arrivals.append(number) }
                return response
            }
            let gate = LoopbackGate()
            core.state.withLock { state in
                state.arrivals.append(number)
                state.gates[number] = gate
                state.open += 1
                state.mostOpen = max(state.mostOpen, state.open)
            }
            continuation.yield(number)
            return LoopbackResponse(steps: [.holdUntil(gate)] + response.steps)
        }
    }

    /// The numbers of all requested pages, in order.
    var requested: [Int] { core.state.withLock { $0.arrivals } }
    /// The maximum number of concurrently open requests.
    var mostOpen: Int { core.state.withLock { $0.mostOpen } }

    /// Sends the response for a page.
    func release(_ number: Int) {
        // Decrements the count first, because the client reacts to the response.
        let gate = core.state.withLock { state in
            state.open -= 1
            return state.gates[number]
        }
        gate?.open()
    }

    /// Returns the rows of a page.
    static func ids(ofPage number: Int) -> [Int64] { [Int64(2 * number - 1), Int64(2 * number)] }

    /// Returns a page with its links.
    static func page(
        _ number: Int,
        of count: Int,
        links: Links = .nextAndLast,
        for request: LoopbackServer.Request
    ) -> LoopbackResponse {
        let address = "http://\(request.header("Host") ?? "")/user/1/followers?per_page=100&page="
        var link: [String] = []
        if number > 1 { link += ["<\(address)\(number - 1)>; rel=\"prev\"", "<\(address)1>; rel=\"first\""] }
        if number < count, links != .none {
            link.append("<\(address)\(number + 1)>; rel=\"next\"")
            if links == .nextAndLast { link.append("<\(address)\(count)>; rel=\"last\"") }
        }
        let headers = link.isEmpty ? [] : [("Link", link.joined(separator: ", "))]
        return .json(number > count ? "[]" : GitHubResponses.list(ids(ofPage: number).map(Int.init)), headers: headers)
    }

    private static func number(of request: LoopbackServer.Request) -> Int {
        let items = request.target.split(separator: "?").last?.split(separator: "&") ?? []
        return items.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) } ?? 1
    }
}
