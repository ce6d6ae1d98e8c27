/// One accepted connection, used only by the thread that serves it.
struct Connection {
    /// The most bytes, 64 KiB, written with one system call when a chunk is repeated.
    private static let blockSize = 64 * 1024

    private let core: ServerCore
    private let index: Int
    private let socket: Int32
    private var reader: RequestReader

    init(core: ServerCore, index: Int, socket: Int32) {
        self.core = core
        self.index = index
        self.socket = socket
        reader = RequestReader(socket: socket)
    }

    /// Serves requests until the connection is over, and returns why; the caller closes the socket.
    mutating func run() -> ConnectionEnd {
        do throws(ConnectionEnd) {
            while true {
                let (request, isLast) = try reader.next(connection: index)
                // Before the request is recorded: a test that waits for it may send another one,
                // which must get the next response.
                let response = core.respond(request)
                core.record(request)
                for step in response.steps {
                    try perform(step)
                }
                if isLast { return .orderly }
            }
        } catch {
            if case .refused(let status) = error {
                let response = LoopbackResponse(status: status, headers: [("Connection", "close")])
                for case .bytes(let bytes) in response.steps {
                    _ = Socket.sendBytes(socket, bytes)
                }
            }
            return error
        }
    }

    private mutating func perform(_ step: LoopbackResponse.Step) throws(ConnectionEnd) {
        switch step {
        case .bytes(let bytes):
            try send(bytes)
        case .endless(let chunk):
            // Repeating an empty chunk sends nothing.
            guard !chunk.isEmpty else { return try hold() }
            let block = Self.block(of: chunk, copies: .max).bytes
            while true {
                try send(block)
            }
        case .repeated(let chunk, let count):
            guard !chunk.isEmpty, count > 0 else { return }
            let block = Self.block(of: chunk, copies: count)
            for _ in 0..<(count / block.copies) {
                try send(block.bytes)
            }
            for _ in 0..<(count % block.copies) {
                try send(chunk)
            }
        case .hold:
            try hold()
        case .holdUntil(let gate):
            try hold(until: gate)
        case .run(let body):
            body()
        case .deferred(let makeSteps):
            for step in makeSteps() {
                try perform(step)
            }
        case .reset:
            throw .reset
        case .close:
            throw .orderly
        case .closeSending:
            Socket.closeSending(socket)
        }
    }

    private func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
        guard Socket.sendBytes(socket, bytes) else { throw .peer }
    }

    private mutating func hold() throws(ConnectionEnd) {
        while true {
            _ = try waitForPeer(or: nil)
        }
    }

    private mutating func hold(until gate: LoopbackGate) throws(ConnectionEnd) {
        let signal: Int32?
        do {
            signal = try gate.enter()
        } catch {
            // No descriptor is left to wait with.
            throw .reset
        }
        guard let signal else { return }
        defer { gate.leave() }
        while try !waitForPeer(or: signal) {}
    }

    /// Waits until the peer or `signal` becomes readable, and returns whether `signal` did.
    ///
    /// Bytes that the peer sends meanwhile are buffered for the next request.
    private mutating func waitForPeer(or signal: Int32?) throws(ConnectionEnd) -> Bool {
        let wantsInput = !reader.isFull
        let ready = Socket.waitForInput(socket, signal ?? -1, wantsFirst: wantsInput)
        if ready.first {
            // With a full buffer only a hang-up or an error is reported.
            guard wantsInput else { throw .peer }
            try reader.fill()
        }
        return ready.second
    }

    private static func block(of chunk: [UInt8], copies count: Int) -> (bytes: [UInt8], copies: Int) {
        let copies = min(count, max(1, blockSize / chunk.count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunk.count * copies)
        for _ in 0..<copies {
            bytes += chunk
        }
        return (bytes, copies)
    }
}
