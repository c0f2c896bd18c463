/** A small picture of a file that was picked. Drawn, because a strict page lets no blob be an image's source. */
import { useEffect, useRef, useState } from 'preact/hooks';

const edge = 48;

export function Preview({ file }: { file: File | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (!file?.type.startsWith('image/')) return;
    createImageBitmap(file, { resizeHeight: edge * 2, resizeQuality: 'medium' })
      .then((image) => {
        const place = canvas.current;
        if (isGone || !place) return image.close();
        place.width = Math.min(image.width, edge * 4);
        place.height = image.height;
        place.getContext('2d')?.drawImage(image, 0, 0);
        image.close();
        setDrawn(true);
      })
      // What no browser can draw is still a file.
      .catch(() => {});
    return () => {
      isGone = true;
    };
  }, [file]);
  return <canvas ref={canvas} class="preview" hidden={!isDrawn} aria-hidden="true" />;
}
