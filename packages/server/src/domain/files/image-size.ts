/** Width and height of an image, from the first bytes of its file. Nothing is decoded. */

export interface ImageSize {
  width: number;
  height: number;
}

export function imageSize(mime: string, head: Uint8Array): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = readers[mime]?.(view);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // It ends before it says so: whoever reads past the end of a view gets a RangeError.
    return undefined;
  }
}

const readers: Record<string, (view: DataView) => ImageSize | undefined> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Segments follow each other, each with its length; one of those that begin a frame has the size. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFill = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // The image itself begins: what says its size would have come before.
    if (marker === 0xda) return undefined;
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): ImageSize | undefined {
  const u24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (view.getUint8(15)) {
    case 0x58: // VP8X
      return { width: u24(24) + 1, height: u24(27) + 1 };
    case 0x4c: {
      // VP8L: fourteen bits each
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x20: // VP8
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}
