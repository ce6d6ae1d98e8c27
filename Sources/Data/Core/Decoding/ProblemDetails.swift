/// The body of an error with the media type `application/problem+json`.
///
/// The parts of a problem are objects, as in the RFC's example, or a sentence or several by field,
/// as ASP.NET Core sends them. Source: RFC 9457, section 3.
private struct ProblemDTO: Decodable {
    let reason: String

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        let list: [[String: Lenient<String>]] = json[list: "errors"]
        var parts = list.compactMap { $0["detail"]?.value }
        if let fields = try? json.nestedContainer(keyedBy: JSONKey.self, forKey: "errors") {
            // A hostile body has too many to read and sort them all.
            for name in fields.allKeys.prefix(100).sorted(by: { $0.stringValue < $1.stringValue }) {
                let sentence: String? = fields[name]
                parts += sentence.map { [$0] } ?? fields[list: name]
            }
        }
        let text = [json["detail"] as String?, json["title"]].compactMap(\.self).first { !$0.isEmpty } ?? ""
        reason = parts.isEmpty ? text : "\(text) (\(parts.prefix(5).joined(separator: ", ")))"
    }
}

extension HTTPClient.Response {
    /// The reason for an error as problem details; `nil` in other formats.
    var problemReason: String? {
        mediaType == "application/problem+json" ? (try? decoded(ProblemDTO.self))?.reason : nil
    }
}
