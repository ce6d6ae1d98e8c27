/// A place in a test's source.
package struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    package let fileID: String
    package let filePath: String
    package let line: Int
    package let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file's name and the line.
    package var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
