/** In whose name one answers, and the tokens by which the widget's elements do it. */
import type { ResponderToken } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { service } from './service.ts';

const storedAs = 'holdpoint-console-name';
const changed = 'holdpoint-me';
export const defaultName = 'console';

export function me(): string {
  return localStorage.getItem(storedAs) || defaultName;
}

export function setMe(name: string): void {
  if (name === '' || name === defaultName) localStorage.removeItem(storedAs);
  else localStorage.setItem(storedAs, name);
  dispatchEvent(new Event(changed));
}

export function useMe(): string {
  const [name, setName] = useState(me);
  useEffect(() => {
    const follow = () => setName(me());
    // storage: another tab has changed it.
    for (const type of [changed, 'storage']) addEventListener(type, follow);
    return () => {
      for (const type of [changed, 'storage']) removeEventListener(type, follow);
    };
  }, []);
  return name;
}

export type Reach = { interactionId: string } | { threadId: string } | { inbox: true };

const ttlSeconds = 3_600;
const spareMs = 60_000;
const tokens = new Map<string, Promise<ResponderToken>>();

/** One that lasts for another minute at least. */
export async function tokenFor(reach: Reach, responderId = me()): Promise<string> {
  const name = JSON.stringify([reach, responderId]);
  const known = await tokens.get(name)?.catch(() => undefined);
  if (known && Date.parse(known.expiresAt) - Date.now() > spareMs) return known.token;
  const minting = service.mintResponderToken({ responderId, ttlSeconds, ...reach });
  tokens.set(name, minting);
  return (await minting).token;
}

/** Whoever signs in next has tokens of their own. */
export const forgetTokens = (): void => tokens.clear();
