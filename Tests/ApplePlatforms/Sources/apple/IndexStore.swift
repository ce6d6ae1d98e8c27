import CIndexStore
import Foundation

/// The compiler's index of a module.
struct IndexStore {
    /// A use of a symbol.
    struct Use: Hashable {
        /// The file's name, without its folder.
        let file: String
        let line: UInt32
        let name: String
        /// The symbol's unified resolution (USR).
        let symbol: String
    }

    private struct Reference {
        let name: String
        let symbol: String
        let line: UInt32
    }

    let path: String
    let toolchain: Toolchain

    /// All uses of symbols.
    func uses() throws -> Set<Use> {
        var uses: Set<Use> = []
        for record in try FileManager.default.subpathsOfDirectory(atPath: path + "/v5/records") {
            guard let slash = record.lastIndex(of: "/"), let dash = record.lastIndex(of: "-"), slash < dash else {
                continue
            }
            let name = String(record[record.index(after: slash)...])
            let file = String(record[record.index(after: slash)..<dash])
            var references: [Reference] = []
            let library = toolchain.resources + "/../libIndexStore.so"
            let failure = withUnsafeMutablePointer(to: &references) { references in
                IndexForEachReference(library, path, name, references) { references, name, symbol, line in
                    let reference = Reference(name: name.string, symbol: symbol.string, line: line)
                    references?.assumingMemoryBound(to: [Reference].self).pointee.append(reference)
                }
            }
            if let failure { throw Failure("\(path): \(String(cString: failure))") }
            for reference in references {
                uses.insert(Use(file: file, line: reference.line, name: reference.name, symbol: reference.symbol))
            }
        }
        return uses
    }
}

extension IndexText {
    fileprivate var string: String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
