/** Threads as they were written before they had a version, and as they read since. */
import type { Thread } from '@holdpoint/protocol';

interface OldThread {
  id: string;
  record: string;
  now: Thread;
}

export function threadsOfSecondVersion(): OldThread[] {
  const made = {
    createdBy: { type: 'agent', id: 'agent', via: 'key' },
    createdAt: '2030-01-01T00:00:00.000Z',
  } as const;
  // Texts that are JSON only in JavaScript, and a text that looks like the end of a record.
  const metadata = {
    text: 'a\u0000b 🙂 \ud800 "\\ é',
    ...JSON.parse('{"__proto__": {"a": 1}, "small": 0.1}'),
    createdAt: '"createdAt":"2031-01-01T00:00:00.000Z"}',
  };
  return [{}, { title: 'Ops' }, { title: ',"createdAt":"x"}', metadata }].map((more, index) => {
    const old = { id: `t${index}`, ...more, ...made };
    return { id: old.id, record: JSON.stringify(old), now: { ...old, version: 1, updatedAt: made.createdAt } };
  });
}
