/** Searches the titles of chats and their newest messages. */
import { setImmediate } from 'node:timers/promises';
import { defined, fail, type HoldpointService, limits, type Thread } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { chatFacts } from './chat-codec.ts';
import { Cursor, inList, lenientRoute, toList } from './lenient-routes.ts';
import { isShown, textOf } from './message-codec.ts';

interface Word {
  from: number;
  to: number;
  folded: string;
}

/** Only the beginning of a long message is searched. A word costs a few microseconds. */
const searchedLength = 10_000;
const wordsShown = 20;
const wordsBefore = 5;

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    folded: fold(word),
  }));

interface Wanted {
  whole: string[];
  /** The last word of the query, which also matches longer words. */
  begun: string | undefined;
}

export function toWanted(query: string): Wanted {
  const words = wordsOf(query).map(({ folded }) => folded);
  return { whole: words.slice(0, -1), begun: words.at(-1) };
}

/** Returns HTML around the first hit, with each hit in `<mark>`, or undefined if nothing matches. */
export function findIn(message: string, { whole, begun }: Wanted): string | undefined {
  if (begun === undefined) return undefined;
  const text = message.slice(0, searchedLength);
  const words = wordsOf(text);
  const isBegun = ({ folded }: Word) => folded.startsWith(begun);
  const isHit = (word: Word) => whole.includes(word.folded) || isBegun(word);
  const known = new Set(words.map(({ folded }) => folded));
  if (!words.some(isBegun) || !whole.every((word) => known.has(word))) return undefined;
  const start = Math.max(0, words.findIndex(isHit) - wordsBefore);
  const shown = words.slice(start, start + wordsShown);
  const isCutBefore = start > 0;
  const isCutAfter = start + wordsShown < words.length || text.length < message.length;
  let at = isCutBefore ? (shown[0]?.from ?? 0) : 0;
  let html = isCutBefore ? '…' : '';
  for (const word of shown) {
    const shownWord = escaped(text.slice(word.from, word.to));
    html += escaped(text.slice(at, word.from)) + (isHit(word) ? `<mark>${shownWord}</mark>` : shownWord);
    at = word.to;
  }
  return html + (isCutAfter ? '…' : escaped(text.slice(at)));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);

/** Titles are read 200 chats at a time, in 1,000 chats; messages 10 chats at a time, the newest 50 in each of 100 chats. */
const inTitles = { chats: limits.pageSize, groups: 5 };
const inMessages = { chats: 10, groups: 10, ofEach: 50 };
/** About how many characters of messages one call searches before it returns a cursor. */
const mostCharacters = 2_000_000;

const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: limits.titleLength, pattern: '\\S' }),
  scope: Type.Optional(Type.Enum(['all', 'titles', 'messages'])),
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

interface Hit {
  kind: 'chats' | 'messages';
  at: string;
  shown: object;
}

export const searchRoutes = [
  lenientRoute('GET', '/api/v1/search', {
    summary: 'Search in chats and messages',
    query: SearchQuery,
    handle: (service, { query: { q, scope = 'titles', cursor, limit = 50 } }) =>
      inList(async () => {
        const { hits, next } = await search(service, { query: q.trim(), scope, limit, ...readPlace(cursor) });
        hits.sort((a, b) => b.at.localeCompare(a.at));
        const of = (kind: Hit['kind']) => hits.filter((hit) => hit.kind === kind).map(({ shown }) => shown);
        return { chats: of('chats'), messages: of('messages'), cursor: toList([], next).cursor };
      }),
  }),
];

interface Search {
  query: string;
  scope: 'all' | 'titles' | 'messages';
  limit: number;
  /** The cursor of the chats, and the number of hits of the first group that earlier pages contained. */
  after: string | undefined;
  skip: number;
}

async function search(service: HoldpointService, { query, scope, limit, after, skip }: Search) {
  const { chats, groups } = scope === 'titles' ? inTitles : inMessages;
  const hits: Hit[] = [];
  let left = mostCharacters;
  for (let group = 0; group < groups && left > 0; group++) {
    const { data, next } = await service.listThreads({ limit: chats, ...defined({ cursor: after }) });
    const found: Hit[] = scope === 'messages' ? [] : data.flatMap((thread) => titleHit(thread, query));
    if (scope !== 'titles')
      for (const thread of data) {
        const ofChat = await messageHits(service, thread, query);
        found.push(...ofChat.hits);
        left -= ofChat.size;
        await setImmediate();
      }
    const fresh = found.slice(skip, skip + limit - hits.length);
    hits.push(...fresh);
    if (skip + fresh.length < found.length) return { hits, next: writePlace(after, skip + fresh.length) };
    skip = 0;
    after = next;
    if (next === undefined) return { hits };
    if (hits.length === limit) break;
  }
  return { hits, next: writePlace(after, 0) };
}

const titleOf = ({ title }: Thread): string => title ?? 'New Chat';

function titleHit(thread: Thread, query: string): Hit[] {
  const title = titleOf(thread);
  if (!title.toLowerCase().includes(query.toLowerCase())) return [];
  const { agentIds } = chatFacts(thread);
  const shown = { id: thread.id, title, snippet: title, agent_ids: agentIds };
  return [{ kind: 'chats', at: thread.updatedAt, shown }];
}

async function messageHits(service: HoldpointService, thread: Thread, query: string) {
  const wanted = toWanted(query);
  const { id: threadId } = thread;
  const { data } = await service.listMessages({ threadId, order: 'newest', limit: inMessages.ofEach });
  const texts = data.filter(isShown).map((message) => ({ message, text: textOf(message) }));
  const hits = texts.flatMap(({ message, text }): Hit[] => {
    const snippet = findIn(text, wanted);
    if (snippet === undefined) return [];
    const chat = { chat_id: threadId, chat_title: titleOf(thread), agent_ids: chatFacts(thread).agentIds };
    return [{ kind: 'messages', at: message.at, shown: { id: message.id, ...chat, snippet } }];
  });
  return { hits, size: texts.reduce((sum, { text }) => sum + Math.min(text.length, searchedLength), 0) };
}

const writePlace = (after: string | undefined, skip: number): string => `${skip}.${after ?? ''}`;

function readPlace(cursor: string | undefined): Pick<Search, 'after' | 'skip'> {
  if (cursor === undefined) return { after: undefined, skip: 0 };
  const [, skip, after] =
    /^(\d{1,6})\.(.*)$/.exec(cursor) ?? fail('invalid-cursor', 'The cursor does not come from a search.');
  return { after: after || undefined, skip: Number(skip) };
}
