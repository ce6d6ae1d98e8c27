/// A load: visitors with open event streams, who view pages meanwhile.
struct Load: Sendable {
    static let visitorCount = 200
    static let viewCount = 2_000
    /// The requests in flight.
    static let connectionCount = 8
    /// The number of turns between the site and the empty handler, so that both meet the same machine.
    static let roundCount = 20

    /// A page of each kind.
    static let paths = [
        "/users?q=octo", "/github/users/octocat", "/github/users/octocat/followers", "/repos?q=kernel", "/favorites",
        "/characters",
        "/rick-and-morty/characters/1", "/rick-and-morty/episodes/1", "/rick-and-morty/locations/1", "/apps?q=a",
    ]

    /// A page of 100 users.
    static let listPath = "/github/users/octocat/followers"
    static let listViewCount = 400

    let site: Address
    let siteResources: ProcessResources
    let handler: Address

    /// Runs the load and returns its figures.
    func run() async throws -> Report {
        // Templates, thread pools, and shared caches are created once; they aren't the visitors' memory.
        let first = try await Visitor.arrive(at: site, path: Self.paths[0])
        for path in Self.paths { _ = try await view([path], as: [first]) }
        _ = try await request(count: 100)

        let start = try Usage(of: siteResources)
        let visitors = try await arrive()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (opened, opening) = AsyncStream<Void>.makeStream()
            for visitor in visitors {
                group.addTask { try await visitor.stream(from: site) { opening.yield() } }
            }
            for await _ in opened.prefix(visitors.count) {}
            let streaming = try Usage(of: siteResources)
            let before = try siteResources.processorTime()
            var pages = Latencies()
            var responses = Latencies()
            let share = Self.viewCount / Self.roundCount
            var viewing = Duration.zero
            for round in 0..<Self.roundCount {
                let turn = (0..<share).map { round * share + $0 }
                let begin = ContinuousClock.now
                pages.append(
                    try await view(
                        turn.map { Self.paths[$0 % Self.paths.count] },
                        as: turn.map { visitors[$0 % visitors.count] }
                    )
                )
                viewing += .now - begin
                responses.append(try await request(count: share))
            }
            // While the empty handler responds, the site is idle.
            let processor = try siteResources.processorTime() - before
            let end = try Usage(of: siteResources)
            let beforeList = try siteResources.processorTime()
            _ = try await view(Array(repeating: Self.listPath, count: Self.listViewCount), as: visitors)
            let list = try siteResources.processorTime() - beforeList
            group.cancelAll()
            return Report(
                start: start,
                streaming: streaming,
                end: end,
                pages: pages,
                handler: responses,
                viewing: viewing,
                processor: processor / Self.viewCount,
                listProcessor: list / Self.listViewCount
            )
        }
    }

    /// Opens a page for each of the visitors.
    private func arrive() async throws -> [Visitor] {
        var visitors: [Visitor] = []
        for index in 0..<Self.visitorCount {
            visitors.append(try await Visitor.arrive(at: site, path: Self.paths[index % Self.paths.count]))
        }
        return visitors
    }

    /// Views pages on several connections; the visitors take turns.
    private func view(_ paths: [String], as visitors: [Visitor]) async throws -> Latencies {
        let requests = paths.indices.map { (paths[$0], visitors[$0 % visitors.count].cookie) }
        return try await send(requests, to: site)
    }

    private func request(count: Int) async throws -> Latencies {
        try await send(Array(repeating: ("/", ""), count: count), to: handler)
    }

    private func send(_ requests: [(path: String, cookie: String)], to server: Address) async throws -> Latencies {
        try await withThrowingTaskGroup { group in
            for connection in 0..<Self.connectionCount {
                let own = stride(from: connection, to: requests.count, by: Self.connectionCount).map { requests[$0] }
                group.addTask {
                    try await HTTPConnection.open(to: server) { connection in
                        var latencies = Latencies()
                        for request in own {
                            let begin = ContinuousClock.now
                            let response = try await connection.get(request.path, cookie: request.cookie)
                            latencies.append(.now - begin)
                            guard response.status == 200 else {
                                throw LoadError.unexpectedStatus(response.status, request.path)
                            }
                        }
                        return latencies
                    }
                }
            }
            return try await group.reduce(into: Latencies()) { $0.append($1) }
        }
    }
}
