/** Sends a file by XMLHttpRequest, because fetch does not report progress. */

export interface SentFile {
  field: string;
  file: File;
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Resolves with status 0 if there was no connection or the person removed the file. */
export function sendFile(
  url: string,
  authorization: string,
  { file, onProgress, signal }: Omit<SentFile, 'field'>,
): Promise<{ status: number; body: unknown }> {
  // The person may have removed the file while this script loaded.
  signal.throwIfAborted();
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('authorization', authorization);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onloadend = () => resolve({ status: request.status, body: request.response });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
