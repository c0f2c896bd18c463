/**
 * Answers that are ready in one turn of the event loop go out one right after the other. Written one by one between
 * other work, each would wake a caller of the same machine, such as a proxy, from its sleep, which costs more than a read.
 */
let ready: (() => void)[] = [];

export function atEndOfTurn(send: () => void): void {
  if (ready.push(send) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const sending = ready;
  ready = [];
  for (const send of sending) send();
}
