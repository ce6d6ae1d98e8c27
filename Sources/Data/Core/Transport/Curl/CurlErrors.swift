#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Foundation

extension BrowseError {
    /// Creates the error for a transfer that ended without a usable response.
    ///
    /// It depends only on libcurl's code, since the error text can be that of an earlier attempt.
    init(curlCode code: CURLcode, of easy: UnsafeMutableRawPointer? = nil, request: RequestInfo) {
        let proxyStatus = easy.map { browse_curl_get_long($0, CURLINFO_HTTP_CONNECTCODE) } ?? 0
        guard proxyStatus == 0 || (200..<300).contains(proxyStatus) else {
            var request = request
            request.status = proxyStatus
            // With 5xx, the proxy reports that it can't reach the server; otherwise, it refuses the
            // request.
            let detail = "the proxy answered with status \(proxyStatus)"
            self =
                (500..<511).contains(proxyStatus)
                ? .transferFailure(.cannotConnectToHost, detail: detail, of: request)
                : .unreachable(.intercepted, request)
            return
        }
        let systemError = easy.map { browse_curl_get_long($0, CURLINFO_OS_ERRNO) } ?? 0
        let isOffline = [Int(ENETUNREACH), Int(ENETDOWN)].contains(systemError)
        self =
            switch code {
            case CURLE_OPERATION_TIMEDOUT: .timedOut(request)
            case CURLE_COULDNT_RESOLVE_HOST: .unreachable(.hostNotFound, request)
            // It isn't the service that is missing.
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY:
                .unreachable(isOffline ? .offline : .connectionRefused, request)
            case CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR,
                CURLE_SEND_ERROR:
                .unreachable(.connectionLost, request)
            // A reset within the handshake says nothing about a certificate.
            case CURLE_SSL_CONNECT_ERROR where systemError == Int(ECONNRESET): .unreachable(.connectionLost, request)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CLIENTCERT, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
                .unreachable(.notSecure(detail: Self.securityProblem(code, of: easy)), request)
            default: .transferFailure(Self.foundationCode(of: code), detail: Self.text(of: code), of: request)
            }
    }

    /// Creates the error for a request whose loop can't wait for connections.
    init(curlMultiCode code: CURLMcode, request: RequestInfo) {
        let detail = curl_multi_strerror(code).map { String(cString: $0) } ?? "libcurl's error \(code.rawValue)"
        self = .transferFailure(.unknown, detail: detail, of: request)
    }

    init(_ problem: CurlProblem, request: RequestInfo) {
        self =
            switch problem {
            case .tooLarge(let limit): .unusableResponse(.tooLarge(limit: limit), request)
            case .ambiguousLength:
                .transferFailure(.badServerResponse, detail: "the length of the response is ambiguous", of: request)
            case .damagedBody:
                .transferFailure(.cannotDecodeContentData, detail: "the compressed body can't be read", of: request)
            }
    }

    static func transferFailure(
        _ code: URLError.Code,
        detail: String,
        of request: RequestInfo
    ) -> BrowseError {
        .unreachable(.other(code: code.rawValue, detail: detail), request)
    }

    /// Describes the reason that a certificate or a handshake was refused.
    private static func securityProblem(_ code: CURLcode, of easy: UnsafeMutableRawPointer?) -> String {
        guard code == CURLE_PEER_FAILED_VERIFICATION, let easy else { return text(of: code) }
        // OpenSSL's numbers in `x509_vfy.h`. The host name is checked last, with the number 0 or 1.
        return switch browse_curl_get_long(easy, CURLINFO_SSL_VERIFYRESULT) {
        case 0, 1: "the certificate is for another host name"
        case 9: "the certificate is not yet valid"
        case 10: "the certificate has expired"
        case 18, 19: "the certificate is self-signed, or issued by an unknown self-signed one"
        case 20, 21: "the issuer of the certificate is unknown"
        case 23: "the certificate was revoked"
        case let number: "\(text(of: code)) (\(number))"
        }
    }

    private static func foundationCode(of code: CURLcode) -> URLError.Code {
        switch code {
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: .cannotDecodeContentData
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .badServerResponse
        case CURLE_OUT_OF_MEMORY: .dataLengthExceedsMaximum
        default: .unknown
        }
    }

    private static func text(of code: CURLcode) -> String {
        curl_easy_strerror(code).map { String(cString: $0) } ?? "libcurl's error \(code.rawValue)"
    }
}
#endif
