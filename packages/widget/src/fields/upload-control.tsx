/** Files: picked, dropped or pasted. Each is sent at once, shows its progress, and can be removed. */
import type { FieldOf, FileRef } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';

interface Sending {
  key: number;
  file: File;
  share: number;
  failed?: string;
  stop: AbortController;
}

const bytesPerMb = 1024 * 1024;
const defaultMaxMb = 100;

export function UploadControl(props: FieldProps<FieldOf<'file_upload' | 'image_upload'>>) {
  const { field, value, onChange, strings, uploads } = props;
  const files = (Array.isArray(value) ? value : value ? [value] : []) as FileRef[];
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [isOver, setOver] = useState(false);
  const previews = useRef(new Map<string, File>()).current;
  // A finished upload is added to the current files, not to those at the start of the upload.
  const latest = useRef(files);
  latest.current = files;
  const nextKey = useRef(0);
  const left = useRef(new AbortController()).current;
  useEffect(() => () => left.abort(), []);

  const change = (key: number, part: Partial<Sending> | undefined) =>
    setSending((all) => all.flatMap((one) => (one.key !== key ? [one] : part ? [{ ...one, ...part }] : [])));

  async function send(file: File): Promise<void> {
    const key = nextKey.current++;
    const stop = new AbortController();
    left.signal.addEventListener('abort', () => stop.abort());
    setSending((all) => [...all, { key, file, share: 0, stop }]);
    const maxMb = field.maxSizeMb ?? defaultMaxMb;
    if (file.size > maxMb * bytesPerMb) return change(key, { failed: strings.tooLarge(maxMb) });
    try {
      const ref = (await uploads.start(field.name, file, (share) => change(key, { share }), stop.signal)) as FileRef;
      previews.set(ref.file_id, file);
      change(key, undefined);
      latest.current = field.multiple ? [...latest.current, ref] : [ref];
      onChange(field.multiple ? latest.current : ref);
    } catch (error) {
      if (!stop.signal.aborted) change(key, { failed: (error as Error).message || strings.uploadFailed(file.name) });
    }
  }

  const take = (list: FileList | null | undefined) => {
    for (const file of [...(list ?? [])].slice(0, field.multiple ? undefined : 1)) void send(file);
  };
  const remove = (id: string) => {
    const rest = files.filter(({ file_id }) => file_id !== id);
    onChange(rest.length === 0 ? undefined : rest);
  };
  // An empty list accepts everything.
  const accept = field.accept?.join(',') || (field.type === 'image_upload' ? 'image/*' : undefined);
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
      onPaste={(event) => take(event.clipboardData?.files)}
    >
      <label class="pick-file">
        <input
          {...controlAttributes(props)}
          type="file"
          accept={accept}
          multiple={field.multiple}
          onChange={(event) => {
            take(event.currentTarget.files);
            // Lets the person pick the same file again after it was removed.
            event.currentTarget.value = '';
          }}
        />
        <span class="button">{strings.attach}</span> <span class="hint">{strings.dropHere}</span>
      </label>
      <ul class="files">
        {files.map((file) => (
          <li key={file.file_id}>
            <Preview file={previews.get(file.file_id)} />
            <span class="file-name">{file.name}</span>
            <button type="button" class="quiet" onClick={() => remove(file.file_id)}>
              {strings.remove(file.name)}
            </button>
          </li>
        ))}
        {sending.map(({ key, file, share, failed, stop }) => (
          <li key={`sending ${key}`} class={failed ? 'failed' : undefined}>
            <span class="file-name">{file.name}</span>
            {failed ? (
              <span role="alert">{failed}</span>
            ) : (
              <progress max={1} value={share} aria-label={strings.uploading(file.name, Math.round(share * 100))} />
            )}
            <button
              type="button"
              class="quiet"
              onClick={() => {
                stop.abort();
                change(key, undefined);
              }}
            >
              {strings.remove(file.name)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A small picture of a file. Drawn on a canvas, because a strict page allows no blob as the source of an image. */
const edge = 48;

function Preview({ file }: { file: File | undefined }) {
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
      // A file that the browser cannot draw has no preview.
      .catch(() => {});
    return () => {
      isGone = true;
    };
  }, [file]);
  return <canvas ref={canvas} class="preview" hidden={!isDrawn} aria-hidden="true" />;
}
