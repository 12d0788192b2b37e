#!/usr/bin/env python3
"""Makes the photos in this folder, as cameras and phones write them, and looks at each with other eyes.

    python3 -m venv /tmp/images && /tmp/images/bin/pip install pillow==12.3.0 pillow-heif==1.5.0
    /tmp/images/bin/python Tests/Support/Images/make-images.py

Each shows the same picture when it is turned as its file says: Pillow, and libheif through pillow-heif. A file
that does not ends the run.

- camera-1.jpg to camera-8.jpg: JPEGs of 48 x 32 pixels with that orientation in their Exif, which is little-endian
  in those of odd numbers and big-endian in the others, and has a thumbnail of an orientation of its own. In 3 and 6
  a colour profile comes before it, in 2 and 7 XMP. 4 and 7 are progressive; behind 5 and 8 there is another image,
  which their MPF index (CIPA DC-007) lists.
- phone-1.heic to phone-8.heic: the same in HEIC, turned and mirrored by its properties, with Exif that says 3.
- grid.heic: two tiles side by side, 128 x 64 pixels, to be turned by a quarter with the clock.
"""

import io
import pathlib
import struct

import pillow_heif
from PIL import Image, ImageChops, ImageCms, ImageOps, ImageStat

FOLDER = pathlib.Path(__file__).parent
SHOWN_TO_STORED = {
    1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}


def picture(width, height):
    """Another colour in each corner."""
    corners = Image.new("RGB", (2, 2))
    corners.putdata([(220, 30, 30), (30, 200, 30), (30, 30, 220), (230, 220, 200)])
    return corners.resize((width, height), Image.Resampling.NEAREST)


def stored(orientation, width=48, height=32):
    """What has to be stored with that orientation, in these sides, and what is shown of it then."""
    shown = picture(*((width, height) if orientation < 5 else (height, width)))
    turn = SHOWN_TO_STORED[orientation]
    return (shown if turn is None else shown.transpose(turn)), shown


def require(condition, text):
    """Ends the run where something is not so."""
    if not condition:
        raise SystemExit(text)


def require_same(found, shown, name):
    """Requires that both images are the same, except for compression."""
    require(found.size == shown.size, f"{name} is shown as {found.size}")
    difference = ImageStat.Stat(ImageChops.difference(found.convert("RGB"), shown)).mean
    require(max(difference) < 12, f"{name} shows something else: {difference}")


def tiff(orientation, order, thumbnail):
    """A block of Exif: a maker, the orientation, and in a second directory a thumbnail."""
    def entry(tag, kind, count, value):
        short = kind == 3
        return struct.pack(
            order + ("HHIHH" if short else "HHII"), tag, kind, count, *([value, 0] if short else [value]))

    maker = b"Rowhouse\0"
    first = 8
    second = first + 2 + 2 * 12 + 4 + len(maker) + 1
    image = second + 2 + 4 * 12 + 4
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, first)
    main = struct.pack(order + "H", 2) + entry(0x010F, 2, len(maker), second - len(maker) - 1)
    main += entry(0x0112, 3, 1, orientation) + struct.pack(order + "I", second) + maker + b"\0"
    other = struct.pack(order + "H", 4) + entry(0x0103, 3, 1, 6)
    other += entry(0x0112, 3, 1, 9 - orientation) + entry(0x0201, 4, 1, image)
    other += entry(0x0202, 4, 1, len(thumbnail)) + struct.pack(order + "I", 0)
    return head + main + other + thumbnail


def jpeg(image, **options):
    """The bytes of a small JPEG."""
    output = io.BytesIO()
    image.save(output, options.pop("format", "JPEG"), quality=40, optimize=True, **options)
    return output.getvalue()


def segments(data):
    """The segments behind the first marker, up to the image's own, and all the rest."""
    found, place = [], 2
    while data[place + 1] != 0xDA:
        end = place + 2 + int.from_bytes(data[place + 2:place + 4], "big")
        found.append(data[place:end])
        place = end
    return found, data[place:]


def segment(code, content):
    """A segment of a JPEG."""
    return bytes([0xFF, code]) + struct.pack(">H", len(content) + 2) + content


def camera(orientation):
    """A photo as a camera writes it."""
    image, shown = stored(orientation)
    thumbnail = jpeg(image.resize((12, 8)))
    exif = b"Exif\0\0" + tiff(orientation, "<" if orientation % 2 else ">", thumbnail)
    if orientation in (5, 8):
        # Its index has the offset of the other image, so Pillow must write everything before it.
        data = jpeg(image, format="MPO", save_all=True, append_images=[image.resize((24, 16))],
                    exif=exif)
    else:
        data = jpeg(image, progressive=orientation in (4, 7), exif=exif)
        found, rest = segments(data)
        # Cameras write no JFIF.
        found = [part for part in found if part[1] != 0xE0]
        before = []
        if orientation in (3, 6):
            profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
            before = [segment(0xE2, b"ICC_PROFILE\0\x01\x01" + profile)]
        elif orientation in (2, 7):
            before = [segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta "
                                    b"xmlns:x='adobe:ns:meta/'/>")]
        data = data[:2] + b"".join(before + found) + rest
    name = f"camera-{orientation}.jpg"
    with Image.open(io.BytesIO(data)) as opened:
        require(opened.size == image.size, f"{name} has {opened.size}")
        require(opened.getexif()[0x0112] == orientation, f"{name}: another orientation")
        require_same(ImageOps.exif_transpose(opened), shown, name)
    (FOLDER / name).write_bytes(data)


def heic(image, exif=None):
    """The bytes of a HEIC, which is given the properties that turn it as its Exif says."""
    output = io.BytesIO()
    image.save(output, "HEIF", quality=30, exif=exif)
    return output.getvalue()


def phone(orientation):
    """A photo as a phone writes it; what its Exif says must not count."""
    image, shown = stored(orientation)
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = heic(image, exif.tobytes())
    name = f"phone-{orientation}.heic"
    entries = [[struct.pack(order + "HHIH", 0x0112, 3, 1, value) for value in (orientation, 3)]
               for order in "<>"]
    require(any(found in data for found, _ in entries), f"{name} has no Exif")
    for found, other in entries:
        data = data.replace(found, other)
    with Image.open(io.BytesIO(data)) as opened:
        require_same(opened, shown, name)
    (FOLDER / name).write_bytes(data)


def boxes(data):
    """The boxes in some bytes, by name; of several of one name the first."""
    found, place = {}, 0
    while place + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        found.setdefault(name.decode(), data[place + 8:place + length])
        place += length
    return found


def box(name, *contents):
    """A box."""
    content = b"".join(contents)
    return struct.pack(">I", len(content) + 8) + name.encode() + content


def full(name, *contents, version=0, flags=0):
    """A box with a version and flags."""
    return box(name, struct.pack(">I", version << 24 | flags), *contents)


def grid():
    """Tiles that are put together, as phones do; both are the same coded image."""
    shown = Image.new("RGB", (64, 128))
    tile = picture(64, 64)
    shown.paste(tile, (0, 0))
    shown.paste(tile, (0, 64))
    single = heic(tile.transpose(Image.Transpose.ROTATE_90))
    parts = boxes(single)
    properties = boxes(boxes(boxes(parts["meta"][4:])["iprp"])["ipco"])
    coded = parts["mdat"]
    content = struct.pack(">BBBBHH", 0, 0, 0, 1, 128, 64)

    def entry(item, kind, flags=0):
        return full("infe", struct.pack(">HH", item, 0), kind, b"\0", version=2, flags=flags)

    def meta(place):
        locations = b"".join([
            struct.pack(">HHHHII", item, 0, 0, 1, place, len(coded)) for item in (1, 2)])
        locations += struct.pack(">HHHHII", 3, 1, 0, 1, 0, len(content))
        return full(
            "meta", full("hdlr", bytes(4), b"pict", bytes(13)), full("pitm", struct.pack(">H", 3)),
            full("iloc", b"\x44\0", struct.pack(">H", 3), locations, version=1),
            full("iinf", struct.pack(">H", 3), entry(1, b"hvc1", 1), entry(2, b"hvc1", 1),
                 entry(3, b"grid")),
            full("iref", box("dimg", struct.pack(">HHHH", 3, 2, 1, 2))),
            box("iprp",
                box("ipco", box("hvcC", properties["hvcC"]), full("ispe", struct.pack(">II", 64, 64)),
                    full("ispe", struct.pack(">II", 128, 64)), box("irot", b"\x03")),
                full("ipma", struct.pack(">I", 3), struct.pack(">HB2B", 1, 2, 0x81, 2),
                     struct.pack(">HB2B", 2, 2, 0x81, 2), struct.pack(">HB2B", 3, 2, 3, 0x84))),
            box("idat", content))

    head = box("ftyp", b"heic", bytes(4), b"mif1", b"heic")
    data = head + meta(len(head) + len(meta(0)) + 8) + box("mdat", coded)
    with Image.open(io.BytesIO(data)) as opened:
        require_same(opened, shown, "grid.heic")
    (FOLDER / "grid.heic").write_bytes(data)


def main():
    """Makes them all."""
    pillow_heif.register_heif_opener()
    for orientation in range(1, 9):
        camera(orientation)
        phone(orientation)
    grid()
    for file in sorted(FOLDER.glob("*.*g")) + sorted(FOLDER.glob("*.heic")):
        print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
