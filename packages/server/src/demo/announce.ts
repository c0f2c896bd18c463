/** The last question of the demo: two people have to agree, and a deadline decides where they are not at hand. */
import type { AgentContext } from '@holdpoint/agents';
import { choice } from '@holdpoint/protocol';
import type { DemoWorld } from './demo-world.ts';
import type { Announced, Plan } from './release-questions.ts';
import { colleaguesLink } from './release-words.ts';

const decideMs = 180_000;

export async function announce(ctx: AgentContext, { details }: Plan, world: DemoWorld): Promise<Announced> {
  const at = new Date((await ctx.now()).getTime() + decideMs).toISOString();
  const question = choice(
    [
      { value: 'now', label: 'Announce now', variant: 'primary' },
      { value: 'tomorrow', label: 'Tomorrow morning' },
    ],
    {
      title: `Tell all customers about ${details.version} now?`,
      body: 'Two people have to choose the same. If they have not within three minutes, it is announced tomorrow morning.',
      resolution: { mode: 'quorum', count: 2 },
      recommendations: { choice: 'tomorrow' },
      deadline: { at, outcome: 'recommended' },
    },
  );
  const [outcome] = await Promise.all([ctx.ask(question, { name: 'announce' }), inviteColleague(ctx, world)]);
  return outcome;
}

/** While the question stands: the function itself is not told its id before it is closed. */
async function inviteColleague(ctx: AgentContext, { service, linkFor }: DemoWorld): Promise<void> {
  const url = await ctx
    .step('link', async () => {
      const asked = { threadId: ctx.threadId, runId: ctx.runId, status: 'pending', limit: 1 } as const;
      const [question] = (await service.listInteractions(asked)).data;
      if (!question) throw new Error('It has not been asked yet, or is decided already.');
      return linkFor(question.id);
    })
    .catch(() => undefined);
  if (url !== undefined) await ctx.say(colleaguesLink(url));
}
