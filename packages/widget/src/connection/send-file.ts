/** Sends a file by XMLHttpRequest: fetch does not tell how much has been sent. */

export interface SentFile {
  field: string;
  file: File;
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Resolves with status 0 where there was no connection, or the person took the file back. */
export function sendFile(
  url: string,
  authorization: string,
  { file, onProgress, signal }: Omit<SentFile, 'field'>,
): Promise<{ status: number; body: unknown }> {
  // It may have been taken back while this script was fetched.
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
