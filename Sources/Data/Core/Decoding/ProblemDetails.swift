/// The body of an error with the media type `application/problem+json`.
///
/// Source: RFC 9457, section 3.
private struct ProblemDTO: Decodable {
    /// A part of the problem, in the format of the RFC's example.
    struct Part: Decodable {
        let detail: Lenient<String>
    }

    let title: Lenient<String>
    let detail: Lenient<String>
    let errors: Lenient<[Part]>
}

extension HTTPClient.Response {
    /// The reason for an error as problem details; `nil` in other formats.
    var problemReason: String? {
        guard mediaType == "application/problem+json", let problem = try? decoded(ProblemDTO.self) else { return nil }
        let parts = (problem.errors.value ?? []).prefix(5).compactMap(\.detail.value)
        let reason = [problem.detail.value, problem.title.value].compactMap(\.self).first { !$0.isEmpty } ?? ""
        return parts.isEmpty ? reason : "\(reason) (\(parts.joined(separator: ", ")))"
    }
}
