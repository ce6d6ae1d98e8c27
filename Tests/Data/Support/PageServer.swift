import BrowseMocks
import Synchronization

/// A server of numbered pages, as GitHub has them, that answers each page when the test lets it.
///
/// Page 1 answers at once. A request is open from its arrival until ``release(_:)``.
final class PageServer: Sendable {
    /// What a page says of the others.
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
    /// The numbers of the pages after the first, as their requests arrive.
    let arrivals: AsyncStream<Int>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - count: How many pages there are, each with two rows.
    ///   - links: What the `Link` header holds.
    ///   - isHeld: Whether pages after the first wait for ``release(_:)``.
    ///   - special: What a page is instead; `nil` leaves it as it is.
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

    /// The numbers of the pages that were asked for, in that order.
    var requested: [Int] { core.state.withLock { $0.arrivals } }
    /// The most pages that were held at once.
    var mostOpen: Int { core.state.withLock { $0.mostOpen } }

    /// Lets a page be answered.
    func release(_ number: Int) {
        // The count goes down first: the client can only react to the answer.
        let gate = core.state.withLock { state in
            state.open -= 1
            return state.gates[number]
        }
        gate?.open()
    }

    /// The rows of a page.
    static func ids(ofPage number: Int) -> [Int64] { [Int64(2 * number - 1), Int64(2 * number)] }

    /// A page, with its links to the others.
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
