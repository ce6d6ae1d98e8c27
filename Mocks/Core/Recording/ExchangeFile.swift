import BrowseData
import BrowseDomain
import Foundation

/// The text format of a recorded request and its response, each with header fields and a body.
///
/// ```text
/// GET https://api.example.com/users/mona
/// accept: application/json
///
/// --- response 200
/// :completion: 1
/// content-type: application/json; charset=utf-8
///
/// {"login":"mona"}
/// ```
///
/// Lines that begin with a colon describe the recording. A body that isn't text, or has line breaks
/// that Git can convert, is in Base64, marked by `:encoding: base64`.
enum ExchangeFile {
    static let fileExtension = "http"
    private static let separator = "\n--- "

    static func name(of exchange: Recording.Exchange, number: Int) -> String {
        let digits = String(number)
        let words = exchange.url.path().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
        let path = words.isEmpty ? "" : "-" + words.prefix(60)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            + "-\(exchange.method.rawValue)\(path).\(fileExtension)"
    }

    /// Returns the number at the beginning of a file's name, and the name, which order the files.
    static func order(of file: URL) -> (Int, String) {
        let name = file.lastPathComponent
        return (Int(name.prefix { $0.isASCII && $0.isNumber }) ?? .max, name)
    }

    /// Whether a file is named as a recorded exchange, rather than requests of another tool.
    static func isRecorded(_ file: URL) -> Bool {
        guard file.pathExtension == fileExtension else { return false }
        return file.lastPathComponent.contains(/^[0-9]{3,}-[A-Z]+/)
            || (try? Data(contentsOf: file)).flatMap { exchange(in: $0) } != nil
    }

    static func data(of exchange: Recording.Exchange) -> Data {
        var file = Data()
        var (body, marks) = encoded(exchange.body ?? Data(), isLast: false)
        file.append(head("\(exchange.method.rawValue) \(exchange.url.absoluteString)", marks, exchange.headers))
        file.append(body)
        file.append(Data(separator.utf8))
        let completion = (":completion", "\(exchange.completion)")
        switch exchange.outcome {
        case .response(let response):
            (body, marks) = encoded(response.body, isLast: true)
            if let url = response.url { marks.insert((":url", url.absoluteString), at: 0) }
            file.append(head("response \(response.status)", [completion] + marks, response.headers))
            file.append(body)
        case .failure(let code):
            file.append(head("failure \(code.rawValue)", [completion], [:]))
        }
        return file
    }

    /// Parses a file; `nil` if it isn't a recorded exchange.
    static func exchange(in file: Data) -> Recording.Exchange? {
        let file = restored(file)
        guard let end = file.range(of: Data(separator.utf8)), let request = Section(file[..<end.lowerBound]),
            let answer = Section(file[end.upperBound...]), request.title.count == 2, answer.title.count == 2,
            let method = HTTPMethod(rawValue: request.title[0]), let url = URL(string: request.title[1]),
            let number = Int(answer.title[1]), let completion = answer.marks[":completion"].flatMap({ Int($0) }),
            let requestBody = request.decodedBody, let body = answer.decodedBody
        else { return nil }
        let outcome: Recording.Exchange.Outcome
        switch answer.title[0] {
        case "response":
            let url = answer.marks[":url"].flatMap { URL(string: $0) }
            outcome = .response(.init(status: number, headers: answer.headers, body: body, url: url))
        case "failure": outcome = .failure(.numbered(number))
        default: return nil
        }
        return Recording.Exchange(
            method: method,
            url: url,
            headers: request.headers,
            body: requestBody.isEmpty ? nil : requestBody,
            outcome: outcome,
            completion: completion
        )
    }

    /// A file with its own line breaks, if Git has converted them.
    ///
    /// The first one shows it, since no title ends with a carriage return.
    private static func restored(_ file: Data) -> Data {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard file.prefix(while: { $0 != lineFeed }).last == carriageReturn else { return file }
        var restored = Data()
        for byte in file {
            if byte == lineFeed, restored.last == carriageReturn { restored.removeLast() }
            restored.append(byte)
        }
        return restored
    }

    private static func head(_ title: String, _ marks: [(String, String)], _ headers: HTTPHeaders) -> Data {
        let fields = marks + headers.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return Data((title + "\n" + fields.map { "\($0.0): \($0.1)\n" }.joined() + "\n").utf8)
    }

    private static func encoded(_ body: Data, isLast: Bool) -> (Data, marks: [(String, String)]) {
        let isText = String(data: body, encoding: .utf8) != nil && !body.contains(UInt8(ascii: "\r"))
        // The separator can begin with the line break before the body.
        let isUnambiguous = isLast || (Data("\n".utf8) + body).range(of: Data(separator.utf8)) == nil
        if isText, isUnambiguous { return (body, []) }
        return (body.base64EncodedData(), [(":encoding", "base64")])
    }

    /// A title, fields, and a body.
    private struct Section {
        let title: [String]
        var marks: [String: String] = [:]
        var headers = HTTPHeaders()
        let body: Data

        init?(_ data: Data) {
            guard let end = data.range(of: Data("\n\n".utf8)) else { return nil }
            var lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
            guard !lines.isEmpty else { return nil }
            title = lines.removeFirst().split(separator: " ", maxSplits: 1).map(String.init)
            for line in lines {
                guard let colon = line.dropFirst().range(of: ": ") ?? line.dropFirst().range(of: ":") else {
                    return nil
                }
                let (name, value) = (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
                if name.hasPrefix(":") { marks[name] = value } else { headers[name] = value }
            }
            body = Data(data[end.upperBound...])
        }

        /// The decoded body; `nil` if it's marked as Base64 but invalid.
        var decodedBody: Data? {
            guard marks[":encoding"] == "base64" else { return body }
            return Data(base64Encoded: body, options: .ignoreUnknownCharacters)
        }
    }
}
