extension AppStore {
    /// An app as a person names it: by its number, by a link to it, or by its bundle identifier.
    ///
    /// It is the check that comes before any request. A name is none of these; search for it.
    public enum AppReference: Hashable, Sendable {
        /// The shop's number, typed or taken from a link.
        case id(AppID)
        /// The identifier that its developer gave it.
        case bundleID(BundleID)

        /// Checks what a person typed or pasted; white space and invisible characters around it are ignored.
        ///
        /// Text with a link in it is a link, whatever stands around the link. Other text is a number (`123` or `id123`), or, with
        /// a dot in it, a bundle identifier.
        ///
        /// - Throws: ``ValidationError`` with the first reason that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = typed.trimmedWithInvisibles
            guard !text.isEmpty else { throw .empty }
            if let link = try AppLink.first(in: text) {
                self = .id(AppID(rawValue: try AppID.number(link.number)))
                return
            }
            try text.checkForInvisibles()
            if AppID.digits(in: text) != nil || (!text.contains(".") && text.first?.isNumber == true) {
                self = .id(try AppID(text))
            } else if text.contains(".") {
                self = .bundleID(try BundleID(text))
            } else {
                throw .name
            }
        }

        /// Why a text names no app.
        public enum ValidationError: Error, Hashable, Sendable {
            /// There is nothing but white space.
            case empty
            /// The first character that cannot be seen, such as a mark for the direction of writing.
            case invisibleCharacter(Unicode.Scalar)
            /// The link leads somewhere else than to the App Store; the value is the host, or what stands in its place.
            case foreignLink(host: String)
            /// The link leads to the App Store, and to no app.
            case noIDInLink
            /// The first character that a number, or a bundle identifier, cannot have.
            case characterNotAllowed(Character)
            /// The number is zero, or larger than any app's can be.
            case outOfRange
            /// The bundle identifier has a part without a character, or only one part.
            case incompleteBundleID
            /// The bundle identifier is longer than ``AppStore/BundleID/maximumLength``; the value is by how many.
            case tooLong(by: Int)
            /// It is a word, as the name of an app would be.
            case name
        }
    }
}

extension StringProtocol {
    /// The text without white space and invisible characters at its ends.
    var trimmedWithInvisibles: String {
        // Scalars, since an invisible mark joins the character before it.
        let scalars = unicodeScalars.drop { $0.isInvisible || $0.properties.isWhitespace }
        let end = scalars.lastIndex { !$0.isInvisible && !$0.properties.isWhitespace }
        return end.map { String(String.UnicodeScalarView(scalars[...$0])) } ?? ""
    }

    /// Refuses a text with an invisible character in it.
    ///
    /// A mark for the direction of writing, as copying from a web page adds it, would be sent as part of a number that looks
    /// right.
    func checkForInvisibles() throws(AppStore.AppReference.ValidationError) {
        if let scalar = unicodeScalars.first(where: \.isInvisible) { throw .invisibleCharacter(scalar) }
    }
}

extension Unicode.Scalar {
    /// Whether nothing at all is shown for it, and it isn't white space.
    var isInvisible: Bool {
        guard !properties.isWhitespace else { return false }
        switch properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .unassigned: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }
}
