import BrowseDomain
import BrowseMocks
import Foundation
import Testing

/// Minimal files written by image programs.
struct ImageSample: CustomTestStringConvertible {
    let name: String
    let format: ImageFormat
    let size: PixelSize
    let data: Data

    var testDescription: String { name }

    private init(_ name: String, _ format: ImageFormat, _ width: Int, _ height: Int, _ base64: String) {
        self.name = name
        self.format = format
        size = PixelSize(width: width, height: height)
        data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }

    static let all = [
        ImageSample(
            "png",
            .png,
            7,
            5,
            """
            iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAIAAAAG+GGPAAAAHElEQVR4nGM8EaDBgAGYMIVQRC02XIezGUkwAQAeoQRImIyDNAAA
            AABJRU5ErkJggg==
            """
        ),
        ImageSample(
            "jpeg",
            .jpeg,
            7,
            5,
            """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZH
            I////////////////////////////////////////////////////2wBDAVVaWnhpeOuCgu
            v/////////////////////////////////////////////////////////////////////////wAARCAAFAAcDASIAAhEBAxEB/8QAHw
            AAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwR
            VS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmq
            KjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAA
            ECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGR
            omJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uL
            m6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwBtFFFZmx//2Q==
            """
        ),
        ImageSample(
            "progressive",
            .jpeg,
            7,
            5,
            """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZH
            I////////////////////////////////////////////////////2wBDAVVaWnhpeOuCgu
            v/////////////////////////////////////////////////////////////////////////wgARCAAFAAcDASIAAhEBAxEB/8QAFQ
            ABAQAAAAAAAAAAAAAAAAAAAAH/xAAUAQEAAAAAAAAAAAAAAAAAAAAC/9oADAMBAAIQAxAAAAGAv//EABQQAQAAAAAAAAAAAAAAAAAAAA
            D/2gAIAQEAAQUCf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQMBAT8Bf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Bf/
            /EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEABj8Cf//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAT8hf//aAAwDAQACAAMAAA
            AQA//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQMBAT8Qf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Qf//EABQQAQAAAA
            AAAAAAAAAAAAAAAAD/2gAIAQEAAT8Qf//Z
            """
        ),
        ImageSample(
            "gif",
            .gif,
            7,
            5,
            """
            R0lGODdhBwAFAIEAAMhQKAAA/wAAAAAAACwAAAAABwAFAAAIDgABCBxIsKDAAAYTEgwIADs=
            """
        ),
        ImageSample(
            "gifMoving",
            .gif,
            7,
            5,
            """
            R0lGODdhBwAFAIEAAMhQKAAA/wAAAAAAACwAAAAABwAFAAAIDgABCBxIsKDAAAYTEgwIACH5BAEAAAEALAAAAAAHAAUAgQECAwAA
            AAAAAAAAAAgMAAEIHEiwoMGDBwMCADs=
            """
        ),
        ImageSample(
            "webPLossy",
            .webP,
            7,
            5,
            """
            UklGRjAAAABXRUJQVlA4ICQAAABwAQCdASoHAAUACQCsJbACdAFAAAD+rhYxYeHyft5n7kaWAAA=
            """
        ),
        ImageSample(
            "webPLossless",
            .webP,
            7,
            5,
            """
            UklGRiIAAABXRUJQVlA4TBYAAAAvBgABAA8wUIP8lP/5Dx787i+i/7EB
            """
        ),
        ImageSample(
            "webPExtended",
            .webP,
            7,
            5,
            """
            UklGRlQAAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSAoAAAABB1C8iAhERP8DVlA4ICQAAABwAQCdASoHAAUACQCsJbACdAFA
            AAD+rhYxYeHyft5n7kaWAAA=
            """
        ),
        ImageSample(
            "webPMoving",
            .webP,
            7,
            5,
            """
            UklGRsAAAABXRUJQVlA4WAoAAAACAAAABgAABAAAQU5JTQYAAAAAAAAAAABBTk1GXAAAAAAAAAAAAAYAAAQAAAAAAAJWUDggRAAA
            AFABAJ0BKgcABQABQCYlsAAEdAAA/ueR/6yrGKLuw3GfVjm//8pa71+jwcaiv+/3/f7ze///XAgALP//sHf/+g7/NQAAQU5NRjAA
            AAAAAAAAAAAGAAAEAAAAAAAAVlA4IBgAAAA0AQCdASoHAAUAAAAmJaQAA3AA/v0gUAA=
            """
        ),
        ImageSample(
            "heic",
            .heic,
            128,
            64,
            """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
            ACJpbG9jAAAAAERAAAEAAQAAAAABegABAAAAAAAAABoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt
            AAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA
            AAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoBAgQWW6kkprm4CGgwIAAAMAMgAAAwACEGIAAQAHRAHBcrAiQAAAABNjb2xy
            bmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAACAAAAAQAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAACJt
            ZGF0AAAAFigBrwSY/Mzm9n/7bSfDp/dJVrxHaLA=
            """
        ),
    ]
}

extension DrawnImage {
    /// Returns an image of about the given size in bytes: a drawn one with a long text chunk.
    static func png(for text: String, bytes: Int) -> Data {
        let picture = png(for: text)
        let padding = max(0, bytes - picture.count - 12)
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: padding >> $0) }
        let chunk = length + Array("tEXt".utf8) + [UInt8](repeating: 65, count: padding + 4)
        return picture.dropLast(12) + chunk + picture.suffix(12)
    }
}
