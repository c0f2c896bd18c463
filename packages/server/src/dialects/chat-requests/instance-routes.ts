/** The calls about the server as a whole: its configuration and its tags. */
import { type HoldpointService, limits, type Thread } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route } from '../../routes/route.ts';
import { gatherPage } from '../gather-page.ts';
import { chatFacts } from './chat-codec.ts';
import { ConfigSchema, toShownConfig } from './config-codec.ts';
import { Anything } from './route-schemas.ts';

/** So many of the newest chats that have tags are looked at. */
const tagged = 1_000;

const TagsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: limits.labelLength })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
});

export const instanceRoutes = [
  route({
    method: 'GET',
    path: '/api/v1/config',
    tag: 'Config',
    summary: 'Get the configuration',
    query: Anything,
    status: 200,
    response: ConfigSchema,
    handle: async (service) => toShownConfig(await service.getDispatchSettings({})),
  }),
  route({
    method: 'GET',
    path: '/api/v1/tags/suggestions',
    tag: 'Tags',
    summary: 'List tags by their beginning, the most used first',
    description: 'Of the newest 1,000 chats that have any.',
    query: TagsQuery,
    status: 200,
    response: Type.Object({
      data: Type.Array(Type.Object({ name: Type.String(), usage_count: Type.Integer() })),
    }),
    handle: async (service, { query: { q = '', limit = 10 } }) => {
      const beginning = q.trim().toLowerCase();
      return { data: beginning === '' ? [] : (await countTags(service, beginning)).slice(0, limit) };
    },
  }),
];

async function countTags(service: HoldpointService, beginning: string) {
  const hasTags = (thread: Thread) => chatFacts(thread).tags.length > 0;
  const { data } = await gatherPage((from) => service.listThreads(from), hasTags, { limit: tagged });
  const counts = new Map<string, number>();
  for (const tag of data.flatMap((thread) => chatFacts(thread).tags))
    if (tag.toLowerCase().startsWith(beginning)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([name, usage_count]) => ({ name, usage_count }))
    .sort((a, b) => b.usage_count - a.usage_count || (a.name < b.name ? -1 : 1));
}
