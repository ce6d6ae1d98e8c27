/// Reads HTTP/1.1 requests from a socket.
struct RequestReader {
    /// The maximum size, in bytes, of a request line and its headers, or of the trailers.
    private static let headLimit = 64 * 1024

    /// The maximum number of bytes to read ahead while no request is awaited.
    private static let idleLimit = 1024 * 1024

    private let socket: Int32
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: Int32) {
        self.socket = socket
    }

    /// Whether the read-ahead limit is reached.
    var isFull: Bool { buffer.count - position >= Self.idleLimit }

    /// Waits for bytes from the client, and reads them.
    mutating func fill() throws(ConnectionEnd) {
        // Removes used bytes only if they are at least half, so that each byte moves about once.
        if position > 0, position >= buffer.count / 2 {
            buffer.removeFirst(position)
            position = 0
        }
        guard Socket.receiveBytes(socket, appendingTo: &buffer) else { throw .peer }
    }

    /// Reads a complete request; `isLast` is whether the client wants the connection closed after
    /// it.
    mutating func next(
        connection: Int
    ) throws(ConnectionEnd) -> (request: LoopbackServer.Request, isLast: Bool) {
        var budget = Self.headLimit
        var line = try readLine(&budget)
        while line.isEmpty {
            line = try readLine(&budget)
        }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { throw .refused(status: 400) }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .refused(status: 400) }

        var request = LoopbackServer.Request(
            method: String(decoding: parts[0], as: UTF8.self),
            target: String(decoding: parts[1], as: UTF8.self),
            headers: try readHeaders(&budget),
            body: [],
            connection: connection
        )
        request.body = try readBody(of: request)
        let wishes = tokens(request, "connection")
        let isLast = wishes.contains("close") || (version == "HTTP/1.0" && !wishes.contains("keep-alive"))
        return (request, isLast)
    }

    private mutating func readHeaders(
        _ budget: inout Int
    ) throws(ConnectionEnd) -> [LoopbackServer.Header] {
        var headers: [LoopbackServer.Header] = []
        while true {
            let line = try readLine(&budget)
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
                !isBlank(line[0]), !isBlank(line[colon - 1])
            else { throw .refused(status: 400) }
            headers.append(
                LoopbackServer.Header(
                    name: String(decoding: line[..<colon], as: UTF8.self),
                    value: String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
                )
            )
        }
    }

    private mutating func readBody(of request: LoopbackServer.Request) throws(ConnectionEnd) -> [UInt8] {
        let codings = tokens(request, "transfer-encoding")
        let lengths = Set(tokens(request, "content-length"))
        if !codings.isEmpty {
            guard codings == ["chunked"] else { throw .refused(status: 501) }
            guard lengths.isEmpty else { throw .refused(status: 400) }
            try answerExpectation(of: request)
            return try readChunks()
        }
        guard let text = lengths.first else { return [] }
        guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
        else { throw .refused(status: 400) }
        guard length > 0 else { return [] }
        try answerExpectation(of: request)
        return Array(try readBytes(length))
    }

    private func answerExpectation(of request: LoopbackServer.Request) throws(ConnectionEnd) {
        guard tokens(request, "expect").contains("100-continue") else { return }
        guard Socket.sendBytes(socket, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .peer }
    }

    private mutating func readChunks() throws(ConnectionEnd) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            var budget = Self.headLimit
            let line = try readLine(&budget)
            let digits = trimmed(line.prefix { $0 != UInt8(ascii: ";") })
            let text = String(decoding: digits, as: UTF8.self)
            guard text.utf8.first != UInt8(ascii: "+"), let size = Int(text, radix: 16), size >= 0
            else { throw .refused(status: 400) }
            if size == 0 { break }
            body += try readBytes(size)
            guard try readLine(&budget).isEmpty else { throw .refused(status: 400) }
        }
        var budget = Self.headLimit
        while try !readLine(&budget).isEmpty {}
        return body
    }

    // MARK: Bytes

    /// Returns the next line without its line break, and subtracts its length from the budget.
    private mutating func readLine(_ budget: inout Int) throws(ConnectionEnd) -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer[(position + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                var line = buffer[position..<end]
                budget -= line.count + 1
                guard budget >= 0 else { throw .refused(status: 431) }
                position = end + 1
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return Array(line)
            }
            searched = buffer.count - position
            guard searched < budget else { throw .refused(status: 431) }
            try fill()
        }
    }

    private mutating func readBytes(_ count: Int) throws(ConnectionEnd) -> ArraySlice<UInt8> {
        while buffer.count - position < count {
            try fill()
        }
        defer { position += count }
        return buffer[position..<(position + count)]
    }
}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) {
        bytes.removeLast()
    }
    return bytes
}

/// Returns the comma-separated elements of all header fields with a lowercase name, in lowercase.
private func tokens(_ request: LoopbackServer.Request, _ name: String) -> [String] {
    request.headers.filter { $0.name.lowercased() == name }.flatMap { header in
        Array(header.value.lowercased().utf8).split(separator: UInt8(ascii: ",")).map {
            String(decoding: trimmed($0), as: UTF8.self)
        }
    }
}
