/** Whether a request comes from a browser or a program of this machine, and was led here by nobody else. */
import type { FastifyRequest } from 'fastify';
import { isOfOwnPage } from './own-page.ts';

/** What a reverse proxy or a tunnel adds, each by the names it is known for. */
const signsOfAProxy = new RegExp(
  [
    '^(forwarded|via|cdn-loop|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fly-client-ip',
    '(x-forwarded|x-original|x-arr|x-envoy|cf|tailscale|ngrok)-.*)$',
  ].join('|'),
);

/**
 * That the connection comes from this machine is not enough: a page of elsewhere whose name was made to lead here
 * (DNS rebinding) would send its own Host, and a proxy of this machine would call for whoever calls it.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers, raw, socket } = request;
  return (
    isLoopback(socket.remoteAddress) &&
    raw.httpVersion === '1.1' &&
    isOwnHost(headers.host, socket.localPort) &&
    !Object.keys(headers).some((name) => signsOfAProxy.test(name)) &&
    isOfOwnPage(request)
  );
}

/** Names that no name server is asked for, with the port that is listened on. */
function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  const named = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? '');
  return named !== null && port !== undefined && Number(named[1] ?? 80) === port;
}

const isLoopback = (address: string | undefined): boolean =>
  /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(address ?? '');

/** Whether a server that listens there is reached from this machine alone. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);
