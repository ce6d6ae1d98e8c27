"""Writes small image files that browsers show, and files that aren't images.

    python3 -m venv venv && venv/bin/pip install pillow pillow-heif && venv/bin/python make.py

Pillow encodes the images; some are then cut, padded, mislabeled, or changed. files.json names the format and the displayed size
of each file, which are known from how it was made, not from reading it.
"""

import io
import json
import pathlib
import struct
import zlib

import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()
folder = pathlib.Path(__file__).parent
files = {}
WIDTH, HEIGHT = 24, 16


def drawn(mode="RGB", size=(WIDTH, HEIGHT), shift=0):
    image = Image.new("RGB", size)
    image.putdata([((x * 9 + shift) % 256, y * 13, 80) for y in range(size[1]) for x in range(size[0])])
    return image.convert(mode)


def encoded(kind, image=None, **options):
    output = io.BytesIO()
    (image or drawn()).save(output, kind, **options)
    return output.getvalue()


def write(name, data, format, width=WIDTH, height=HEIGHT):
    (folder / name).write_bytes(data)
    files[name] = {"format": format, "width": width, "height": height} if format else {}


def changed(data, offset, bytes):
    return data[:offset] + bytes + data[offset + len(bytes):]


def oriented(orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif


HUGE = 60_000

png = encoded("PNG")
write("png.png", png, "png")
write("png-without-end.png", png[:-12], "png")
write("png-half.png", png[: len(png) // 2], "png")
write("png-padded.png", png + bytes(500), "png")
write("png-moving.png", encoded("PNG", save_all=True, append_images=[drawn(shift=90)]), "png")
write("png-palette-interlaced.png", encoded("PNG", drawn("P"), interlace=1), "png")
write("png-named.jpg", png, "png")
write("png-huge.png", changed(png, 16, struct.pack(">II", HUGE, HUGE)), "png", HUGE, HUGE)
# Decoders take EXIF data before the picture, and none after it.
chunk = b"eXIfMM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, 6, 0, 0)
chunk = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
for name, follower, size in [("png-turned.png", b"IDAT", (HEIGHT, WIDTH)), ("png-exif-at-end.png", b"IEND", (WIDTH, HEIGHT))]:
    place = png.index(follower) - 4
    write(name, png[:place] + chunk + png[place:], "png", *size)

jpeg = encoded("JPEG", quality=40)
write("jpeg.jpg", jpeg, "jpeg")
write("jpeg-without-end.jpg", jpeg[:-2], "jpeg")
write("jpeg-zeros-at-end.jpg", jpeg[:-2] + bytes(64), "jpeg")
write("jpeg-half-of-scan.jpg", jpeg[:-60], "jpeg")
write("jpeg-progressive.jpg", encoded("JPEG", quality=40, progressive=True), "jpeg")
write("jpeg-gray.jpg", encoded("JPEG", drawn("L"), quality=40), "jpeg")
write("jpeg-cmyk.jpg", encoded("JPEG", drawn("CMYK"), quality=40), "jpeg")
write("jpeg-fill-bytes.jpg", jpeg[:2] + b"\xff\xff\xff" + jpeg[2:], "jpeg")
write("jpeg-named.png", jpeg, "jpeg")
for orientation in range(1, 9):
    size = (HEIGHT, WIDTH) if orientation > 4 else (WIDTH, HEIGHT)
    turned = encoded("JPEG", quality=40, exif=oriented(orientation))
    write(f"jpeg-orientation-{orientation}.jpg", turned, "jpeg", *size)
# The same in EXIF data of the other byte order.
exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, 6, 0, 0)
write("jpeg-orientation-6-big.jpg", jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:],
      "jpeg", HEIGHT, WIDTH)
frame = jpeg.index(b"\xff\xc0")
write("jpeg-huge.jpg", changed(jpeg, frame + 5, struct.pack(">HH", HUGE, HUGE)), "jpeg", HUGE, HUGE)

gif = encoded("GIF")
write("gif.gif", gif, "gif")
write("gif-without-trailer.gif", gif[:-1], "gif")
write("gif-zeros-for-trailer.gif", gif[:-1] + bytes(3), "gif")
write("gif-half.gif", gif[: len(gif) // 2], "gif")
write("gif-moving.gif", encoded("GIF", save_all=True, append_images=[drawn(shift=90)]), "gif")
write("gif-huge.gif", changed(gif, 6, struct.pack("<HH", HUGE, HUGE)), "gif", HUGE, HUGE)

webp = encoded("WEBP", quality=40)
write("webp-lossy.webp", webp, "webP")
write("webp-half.webp", webp[: len(webp) // 2], "webP")
write("webp-lossless.webp", encoded("WEBP", lossless=True), "webP")
write("webp-extended.webp", encoded("WEBP", exif=oriented(1)), "webP")
moving = encoded("WEBP", save_all=True, append_images=[drawn(shift=90)])
write("webp-moving.webp", moving, "webP")
write("webp-named.jpg", webp, "webP")
side = struct.pack("<I", HUGE - 1)[:3]
write("webp-huge.webp", changed(moving, 24, side + side), "webP", HUGE, HUGE)

for name, kind, format in [("avif.avif", "AVIF", "avif"), ("heic.heic", "HEIF", "heic")]:
    # A multiple of the size of blocks, since the encoder of HEIC crops others, which isn't read.
    data = encoded(kind, drawn(size=(128, 64)), quality=20)
    write(name, data, format, 128, 64)
    write(name.replace(".", "-cut."), data[:-20], format, 128, 64)
    place = data.index(b"ispe") + 8
    write(name.replace(".", "-huge."), changed(data, place, struct.pack(">II", HUGE, HUGE)), format, HUGE, HUGE)
avif = encoded("AVIF", drawn(size=(64, 48)), quality=20, exif=oriented(6))
write("avif-turned.avif", avif, "avif", 48, 64)
write("avif-moving.avif", encoded("AVIF", drawn(size=(64, 48)), save_all=True,
      append_images=[drawn(size=(64, 48), shift=90)], quality=20), "avif", 64, 48)

bmp = encoded("BMP")
write("bmp.bmp", bmp, "bmp")
write("bmp-half.bmp", bmp[: len(bmp) // 2], "bmp")
write("bmp-palette.bmp", encoded("BMP", drawn("P")), "bmp")
write("bmp-top-down.bmp", changed(bmp, 22, struct.pack("<i", -HEIGHT)), "bmp")
# The header of OS/2, which has 12 bytes.
core = struct.pack("<2sIHHIIHHHH", b"BM", 26 + 12, 0, 0, 26, 12, 2, 2, 1, 24) + bytes(16)
write("bmp-core.bmp", core, "bmp", 2, 2)
write("bmp-huge.bmp", changed(bmp, 18, struct.pack("<ii", HUGE, HUGE)), "bmp", HUGE, HUGE)

sizes = {"sizes": [(16, 16), (32, 32)]}
icon = encoded("ICO", drawn(size=(32, 32)), **sizes)
write("ico-png.ico", icon, "ico", 32, 32)
write("ico-bitmap.ico", encoded("ICO", drawn(size=(32, 32)), bitmap_format="bmp", **sizes), "ico", 32, 32)
place = icon.rindex(b"IHDR") + 4
write("ico-huge.ico", changed(icon, place, struct.pack(">II", HUGE, HUGE)), "ico", HUGE, HUGE)

tiff = encoded("TIFF", compression="tiff_deflate")
write("tiff-little.tiff", tiff, "tiff")
write("tiff-big.tiff", encoded("TIFF", Image.new("I;16B", (WIDTH, HEIGHT))), "tiff")
write("tiff-turned.tiff", encoded("TIFF", exif=oriented(6)), "tiff", HEIGHT, WIDTH)

write("empty.png", b"", None)
write("page.png", b"<!DOCTYPE html><title>Sign in</title>", None)
write("text.bmp", b"BMW builds cars, and this is a sentence about it.", None)
write("drawing.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>', None)
write("sound.webp", b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0" + bytes(16) + b"data\0\0\0\0", None)
write("film.heic", b"\0\0\0\x18ftypisom\0\0\0\0isommp42" + bytes(16), None)
write("document.jpg", b"%PDF-1.7\n%%EOF\n", None)

(folder / "files.json").write_text(json.dumps(files, indent=1) + "\n")
