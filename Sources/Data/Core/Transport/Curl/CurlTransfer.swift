#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Foundation

/// A hop in flight: its libcurl handle and partial response.
///
/// It isn't `Sendable`: libcurl calls it back only on the loop's thread. Handles aren't reused,
/// since a reset keeps some state.
final class CurlTransfer {
    private enum State {
        case ready
        /// A host name lookup is in progress.
        case resolving
        /// The request failed during a lookup, so the transfer ends after it.
        case abandoned
        /// The connection received something that no request asked for.
        case unusableConnection
    }

    let hop: CurlHop
    let easy: UnsafeMutableRawPointer
    private var state = State.ready
    private let environment: CurlEnvironment
    private let fields: UnsafeMutablePointer<curl_slist>?
    private var head = CurlHead()
    private var body = Data()
    private var coding = CurlHead.Coding.identity
    /// Decompresses the body; `nil` if it isn't compressed.
    private var decompressor: GzipDecompressor?
    /// The bytes of a body that can't be decoded.
    private var skippedBytes = 0
    /// A failure while receiving, which libcurl reports only as a canceled write.
    private var failure: BrowseError?
    /// The number of times that libcurl was about to send the request.
    private var attempts = 0
    /// The connection of the last attempt; `nil` before the first, and with libcurl before 7.80.
    private(set) var connection: CurlEnvironment.Connection?
    /// The connection's ``CurlEnvironment/Connection/receipts`` before that attempt.
    private var receiptsBefore = 0

    /// Creates a transfer that is ready to be added to a loop; `nil` if libcurl refuses a required
    /// option.
    init?(_ hop: CurlHop, in environment: CurlEnvironment) {
        guard let easy = curl_easy_init() else { return nil }
        self.hop = hop
        self.easy = easy
        self.environment = environment
        fields = Self.fields(of: hop.request)
        guard Self.configure(easy, for: hop, fields: fields, in: environment) else { return nil }
        setCallbacks()
    }

    deinit {
        if let connection { environment.leave(connection) }
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
    }

    static func of(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        browse_curl_get_context(easy).map(of(context:))
    }

    private static func of(context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Receiving

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = browse_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        _ = browse_curl_on_head(easy, context) { bytes, _, count, context in
            guard let bytes, let context else { return 0 }
            return CurlTransfer.of(context: context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        _ = browse_curl_on_body(easy, context) { bytes, _, count, context in
            guard let bytes, let context else { return 0 }
            return CurlTransfer.of(context: context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        _ = browse_curl_on_resolve(easy, context) { _, _, context in
            if let context { CurlTransfer.of(context: context).beginLookup() }
            return 0
        }
        _ = browse_curl_on_open(easy, context) { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            return CurlTransfer.of(context: context).openSocket(address.pointee)
        }
        _ = browse_curl_on_connected(easy, context) { context, remote, local, remotePort, localPort in
            guard let context, let remote, let local else { return 0 }
            let name = CurlEnvironment.ConnectionName(remote, remotePort, local, localPort)
            return CurlTransfer.of(context: context).isConnectionUsable(name) ? 0 : 1
        }
    }

    private func beginLookup() { if state != .abandoned { state = .resolving } }

    private func openSocket(_ address: curl_sockaddr) -> Int32 {
        guard state != .abandoned else { return CURL_SOCKET_BAD }
        state = .ready
        // Child processes don't inherit the socket.
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        // Milliseconds after which a connection ends if the peer acknowledges no data (RFC 5482).
        var time: UInt32 = 20_000
        // Best effort: without it, a connection that went dead without a close is used for up to 15
        // minutes.
        if descriptor >= 0 { setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &time, 4) }
        return descriptor
    }

    private func isConnectionUsable(_ name: CurlEnvironment.ConnectionName) -> Bool {
        state = environment.takeIdle(name) ? .unusableConnection : .ready
        attempts += 1
        let previous = connection
        connection = environment.join(name)
        receiptsBefore = connection?.receipts ?? 0
        if let previous { environment.leave(previous) }
        // After a refused stream or a GOAWAY, libcurl repeats any request up to five times.
        return state == .ready && (attempts == 1 || hop.request.isSafeToRepeat)
    }

    /// Receives a line of the head; returns the accepted bytes (fewer than all end the transfer).
    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
        connection?.receipts &+= 1
        let wasComplete = head.isComplete
        do throws(CurlProblem) {
            try head.append(line)
            if head.isComplete, !wasComplete { try beginBody() }
            return line.count
        } catch {
            return refuse(error)
        }
    }

    private var bodyLimit: Int { hop.request.limits.bodyBytes }

    /// Prepares for the body after the head.
    private func beginBody() throws(CurlProblem) {
        // A second response would be taken for that to the next request on the connection.
        let hidesBytes = CurlLibrary.readsAhead && isHTTP1 && hop.origin.scheme == "https"
        if head.hasAmbiguousEnd || hidesBytes { _ = browse_curl_set_long(easy, CURLOPT_FORBID_REUSE, 1) }
        let length = head.bodyLength
        if let length, length > bodyLimit { throw .tooLarge(limit: bodyLimit) }
        coding = head.coding
        if coding == .gzip {
            decompressor = GzipDecompressor()
            guard decompressor != nil else { throw .damagedBody }
        }
        // The length of a compressed body isn't its final size.
        if let length, coding == .identity { body.reserveCapacity(min(length, 4 << 20)) }
    }

    /// Receives a part of the body; returns the number of accepted bytes.
    private func receiveBody(_ part: UnsafeRawBufferPointer) -> Int {
        connection?.receipts &+= 1
        do throws(CurlProblem) {
            try decode(part)
        } catch .damagedBody where !(200..<300).contains(head.status) {
            // A redirect or a 404 is one without its body, too.
            coding = .unknown
            decompressor = nil
            body = Data()
            skippedBytes += part.count
            guard skippedBytes <= bodyLimit else { return refuse(.tooLarge(limit: bodyLimit)) }
        } catch {
            return refuse(error)
        }
        return part.count
    }

    private func decode(_ part: UnsafeRawBufferPointer) throws(CurlProblem) {
        guard coding != .unknown else { throw .damagedBody }
        if let decompressor {
            try decompressor.append(part, to: &body, limit: bodyLimit)
        } else {
            guard part.count <= bodyLimit - body.count else { throw .tooLarge(limit: bodyLimit) }
            body.append(contentsOf: part)
        }
    }

    /// Ends the transfer because of its head or body; returns the number of accepted bytes: 0.
    private func refuse(_ problem: CurlProblem) -> Int {
        failure = BrowseError(problem, request: hop.request.info)
        body = Data()
        prepareForRemoval()
        return 0
    }

    // MARK: Ending

    /// Ends the transfer after a lookup that is in progress; returns `false` if none is.
    func abandonLookup() -> Bool {
        guard state == .resolving || state == .abandoned else { return false }
        state = .abandoned
        _ = browse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 1_000_000)
        return true
    }

    /// Whether the connection has received no part of any response since the request was sent.
    var hasSilentConnection: Bool { connection.map { $0.receipts == receiptsBefore } ?? false }

    /// Prepares the removal of an unfinished transfer, so that the server is notified immediately.
    ///
    /// - Parameter closesConnection: Whether the connection is closed too, unless other streams use
    ///   it.
    func prepareForRemoval(closesConnection: Bool = false) {
        // Where libcurl delays resets, it closes the connection instead.
        if closesConnection || CurlLibrary.delaysResets { _ = browse_curl_set_long(easy, CURLOPT_FORBID_REUSE, 1) }
    }

    /// Sends data that libcurl has buffered for the transfer's connection.
    func flushConnection() {
        // libcurl sends it only when the paused directions change.
        curl_easy_pause(easy, CURLPAUSE_SEND)
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Converts libcurl's result; `nil` if the connection was unusable, and nothing was sent.
    func outcome(of code: CURLcode) -> Result<HTTPClient.Response, BrowseError>? {
        if let failure { return .failure(failure) }
        guard state != .unusableConnection else { return nil }
        guard attempts < 2 || hop.request.isSafeToRepeat else {
            return .failure(.unreachable(.connectionLost, hop.request.info))
        }
        // A line of the head was too long for libcurl; the second code is from version 8.6.
        guard head.isComplete || ![CURLE_OUT_OF_MEMORY.rawValue, 100].contains(code.rawValue) else {
            return .failure(BrowseError(.tooLarge(limit: CurlHead.byteLimit), request: hop.request.info))
        }
        guard code == CURLE_OK else {
            return .failure(BrowseError(curlCode: code, of: easy, request: hop.request.info))
        }
        // libcurl reports a truncated head as a success, and doesn't decompress.
        guard head.isComplete, decompressor?.isTruncated != true else {
            return .failure(.unreachable(.connectionLost, hop.request.info))
        }
        noteIdleConnection()
        var response = HTTPClient.Response(status: head.status, headers: head.headers, body: body, url: hop.request.url)
        response.wireBytes = Int(clamping: browse_curl_get_size(easy, CURLINFO_SIZE_DOWNLOAD_T))
        return .success(response)
    }

    private var isHTTP1: Bool { browse_curl_get_long(easy, CURLINFO_HTTP_VERSION) <= browse_curl_http_1_1 }

    /// Marks the connection as idle, except with HTTP/2, where several transfers can use it.
    private func noteIdleConnection() {
        guard isHTTP1 else { return }
        let socket = browse_curl_get_socket(easy)
        guard socket != CURL_SOCKET_BAD, let remote = browse_curl_get_text(easy, CURLINFO_PRIMARY_IP),
            let local = browse_curl_get_text(easy, CURLINFO_LOCAL_IP)
        else { return }
        let remotePort = Int32(truncatingIfNeeded: browse_curl_get_long(easy, CURLINFO_PRIMARY_PORT))
        let localPort = Int32(truncatingIfNeeded: browse_curl_get_long(easy, CURLINFO_LOCAL_PORT))
        environment.addIdle(socket, named: CurlEnvironment.ConnectionName(remote, remotePort, local, localPort))
    }
}
#endif
