/** Stands between a node and its database, and lets through what a test wants it to. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy extends AsyncDisposable {
  /** URL of the same database through the proxy. */
  url: string;
  /** Holds back all data in both directions, without closing connections. */
  hold(): void;
  /** As `hold`, and what is sent is lost, and the connections with it: they stay as they are and never carry anything again. */
  swallow(): void;
  /** Sends the held data and all later data. */
  pass(): void;
  /** Cuts a connection where the database says something like it, and does not pass that on. */
  cutAt: ((said: Buffer) => boolean) | undefined;
  /** How often it did. */
  cuts: number;
}

export async function startProxy(database: string): Promise<Proxy> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let isHeld = false;
  let isSwallowing = false;

  const server = createServer({ allowHalfOpen: true }, (node) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    join(node, far);
    join(far, node, (said) => {
      if (!proxy.cutAt?.(said)) return true;
      proxy.cuts++;
      node.destroy();
      return false;
    });
  });

  function join(from: Socket, to: Socket, mayPass: (said: Buffer) => boolean = () => true): void {
    sockets.add(from);
    if (isSwallowing) dead.add(from);
    from
      .on('data', (said) => !dead.has(from) && mayPass(said) && to.write(said))
      .on('end', () => to.end())
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    if (isHeld) from.pause();
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database);
  url.port = String((server.address() as AddressInfo).port);
  const proxy: Proxy = {
    url: url.href,
    cutAt: undefined,
    cuts: 0,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    swallow() {
      isSwallowing = true;
      for (const socket of sockets) dead.add(socket);
    },
    pass() {
      isHeld = false;
      isSwallowing = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
