/** A network between the page and the server that the test can cut. */
import { createServer, connect as dial, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Wire {
  url: string;
  /** Ends every connection, and accepts no other until `mend`. */
  cut(): void;
  mend(): void;
}

export async function wireTo(server: string): Promise<Wire> {
  const { hostname, port } = new URL(server);
  const open = new Set<Socket>();
  let isCut = false;
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  const listener = createServer((near) => {
    if (isCut) return near.destroy();
    const far = dial(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    end();
    listener.close();
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as { port: number }).port}`,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
  };
}
