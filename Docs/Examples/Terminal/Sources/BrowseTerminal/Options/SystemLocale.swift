/// The locale that the environment asks for.
package enum ReaderLocale {
    /// `ko_KR` for `ko_KR.UTF-8`; the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty counts, as POSIX has it.
    package static func identifier(in environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let value = values.first { !$0.isEmpty } ?? ""
        let name = value.prefix { $0 != "." && $0 != "@" }
        // The locale of programs is nobody's language.
        return name.isEmpty || name == "C" || name == "POSIX" ? "en" : String(name)
    }
}
