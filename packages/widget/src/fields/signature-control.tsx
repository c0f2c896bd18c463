/** A signature: drawn, typed or uploaded. Each way produces a PNG of the requested size. */
import type { FieldOf, FileRef } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldProps } from '../form/field-props.ts';
import { Segments } from './choice-controls.tsx';

const defaultWidth = 480;
const defaultHeight = 160;
const fileName = 'signature.png';
const restMs = 300;
const ways = ['draw', 'type', 'upload'] as const;
type Way = (typeof ways)[number];

export function SignatureControl(props: FieldProps<FieldOf<'signature'>>) {
  const { field, id, value, onChange, strings, uploads, describedBy, isInvalid } = props;
  const [way, setWay] = useState<Way>('draw');
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<string>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const stop = useRef<AbortController>(undefined);
  const width = field.canvasWidth ?? defaultWidth;
  const height = field.canvasHeight ?? defaultHeight;

  const send = () => {
    stop.current?.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    setFailed(undefined);
    uploads
      .start(field.name, drawn(signal), () => {}, signal)
      .then(
        (ref) => signal.aborted || onChange(ref as FileRef),
        (error: Error) => signal.aborted || setFailed(error.message || strings.uploadFailed(fileName)),
      );
  };
  /** Waits for a pause, because otherwise every letter would be a file. */
  const drawn = async (signal: AbortSignal): Promise<File> => {
    await new Promise((resolve) => setTimeout(resolve, restMs));
    signal.throwIfAborted();
    const png = await new Promise<Blob | null>((resolve) => canvas.current?.toBlob(resolve, 'image/png'));
    return new File(png ? [png] : [], fileName, { type: 'image/png' });
  };
  const clear = () => {
    stop.current?.abort();
    canvas.current?.getContext('2d')?.clearRect(0, 0, width, height);
    setTyped('');
    onChange(undefined);
  };
  useEffect(() => () => stop.current?.abort(), []);
  useEffect(() => {
    const place = canvas.current;
    if (way !== 'draw' || !place) return;
    let pad: { off(): void } | undefined;
    let isGone = false;
    void import('signature_pad').then(({ default: SignaturePad }) => {
      if (isGone) return;
      const made = new SignaturePad(place, { minWidth: 0.8, maxWidth: 2.6, penColor: '#111' });
      made.addEventListener('endStroke', send);
      pad = made;
    });
    return () => {
      isGone = true;
      pad?.off();
    };
  }, [way]);

  const write = (text: string) => {
    setTyped(text);
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    if (text.trim() === '') return clear();
    context.fillStyle = '#111';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let size = Math.round(height * 0.5); size > 8; size -= 2) {
      context.font = `italic ${size}px "Segoe Script", "Snell Roundhand", "Apple Chancery", cursive`;
      if (context.measureText(text).width <= width * 0.9) break;
    }
    context.fillText(text, width / 2, height / 2);
    send();
  };
  const place = async (file: File | undefined) => {
    const context = canvas.current?.getContext('2d');
    if (!file || !context) return;
    try {
      const image = await createImageBitmap(file);
      const scale = Math.min(width / image.width, height / image.height);
      const [w, h] = [image.width * scale, image.height * scale];
      context.clearRect(0, 0, width, height);
      context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
      image.close();
      send();
    } catch {
      setFailed(strings.uploadFailed(file.name));
    }
  };

  return (
    <div class="signature" aria-describedby={describedBy}>
      <Segments
        id={id}
        options={ways.map((one) => [one, strings[one]])}
        value={way}
        onPick={(one: Way) => {
          clear();
          setWay(one);
        }}
      />
      {way === 'type' && (
        <input
          class="control"
          type="text"
          autocomplete="name"
          aria-label={strings.signatureName}
          placeholder={strings.signatureName}
          aria-invalid={isInvalid || undefined}
          value={typed}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )}
      {way === 'upload' && (
        <input
          class="control"
          type="file"
          accept="image/*"
          aria-label={strings.upload}
          onChange={(event) => void place(event.currentTarget.files?.[0])}
        />
      )}
      <canvas
        ref={canvas}
        class={way === 'draw' ? 'pad' : 'pad still'}
        {...{ width, height }}
        role="img"
        aria-label={strings.signHere}
      />
      {failed && <p role="alert">{failed}</p>}
      {value !== undefined && (
        <button type="button" class="quiet" onClick={clear}>
          {strings.clear}
        </button>
      )}
    </div>
  );
}
