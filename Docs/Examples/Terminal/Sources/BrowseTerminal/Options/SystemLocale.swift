/// The locale in the environment variables.
package enum SystemLocale {
    /// Returns the locale of the environment: `ko_KR` for `ko_KR.UTF-8`.
    ///
    /// As in POSIX, the first non-empty value of `LC_ALL`, `LC_MESSAGES`, and `LANG` applies.
    package static func identifier(in environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let value = values.first { !$0.isEmpty } ?? ""
        let name = value.prefix { $0 != "." && $0 != "@" }
        // The locale of programs has no language.
        return name.isEmpty || name == "C" || name == "POSIX" ? "en" : String(name)
    }
}
