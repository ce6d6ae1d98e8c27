/// The body of an error with the media type `application/problem+json`.
///
/// The parts of a problem are objects, as in the RFC's example, or a sentence or several by field,
/// as ASP.NET Core sends them. Source: RFC 9457, section 3.
private struct ProblemDTO: Decodable {
    let reason: String

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        let list: [[String: Lenient<String>]] = json[list: "errors"]
        let lists = json["errors"] as [String: Lenient<[String]>]? ?? [:]
        let sentences = json["errors"] as [String: Lenient<String>]? ?? [:]
        let fields = sentences.compactMapValues { $0.value.map { [$0] } }
            .merging(lists.compactMapValues(\.value)) { $1 }
        let parts = list.compactMap { $0["detail"]?.value } + fields.sorted { $0.key < $1.key }.flatMap(\.value)
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
