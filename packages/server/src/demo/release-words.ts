/** The messages of the demo. */
import type { Outcome } from '@holdpoint/agents';
import type { Block } from '@holdpoint/protocol';
import type { Announced, Plan, Signed } from './release-questions.ts';

/** Served by `http/console/demo-routes.ts`. */
const picturePath = '/console/demo/release.svg';

const words = (markdown: string): Block => ({ type: 'message', payload: { text: markdown, format: 'markdown' } });

export const greeting = ({ origin, runId }: { origin: string; runId: string }): Block[] => [
  words(
    'Hello, I am **release-manager**, an agent. I release new versions and ask a person whenever there is a decision to make. I run in my own process and use the same API as your agents.',
  ),
  {
    type: 'image',
    payload: {
      url: origin + picturePath,
      alt: 'The steps of a release: details, approval, roll-out, sign-off, announcement',
    },
  },
  {
    type: 'card',
    payload: {
      title: 'Aurora 2.4.0 is ready',
      text: '14 changes since 2.3.2: faster search, CSV export, two security fixes.',
      actions: [{ label: 'View my journal', url: `${origin}/#/runs/${runId}` }],
    },
  },
];

export const killMe = {
  markdown:
    'Now the long part: three regions, a few seconds each. **Kill me while I work**, with the button above. Or stop the server with Ctrl-C and start it again. I restart in a few seconds and continue where I was.',
};

export const colleaguesLink = (url: string): Block[] => [
  words(
    'You are one of the two. The other is your colleague **Sam**, who has no account here and needs only this link. Open it in another window or on a phone to answer as Sam.',
  ),
  { type: 'link', payload: { url, label: 'Answer as Sam' } },
];

const endings: Record<Exclude<Outcome<unknown>['status'], 'answered'>, string> = {
  declined: 'You declined.',
  cancelled: 'The request was cancelled.',
  expired: 'Nobody answered in time.',
};

export function stopped({ status, ...outcome }: Outcome<unknown>, consequence: string): Block[] {
  const reason = 'reason' in outcome && outcome.reason ? ` (“${outcome.reason}”)` : '';
  const ending = status === 'answered' ? '' : endings[status];
  return [words(`${ending.replace(/\.$/, '')}${reason}. ${consequence} ${again}`)];
}

const again = 'To try again, start the demo once more or write a message here.';

export interface RolledOut {
  regions: readonly string[];
  /** The process ids of the agents that worked on it, in order. */
  processes: number[];
}

interface Released {
  plan: Plan;
  rolledOut: RolledOut;
  signed: Signed & { status: 'answered' };
  announced: Announced;
}

export function summary({ plan, rolledOut, signed, announced }: Released): Block[] {
  const { details, args, edited, approvedBy } = plan;
  const kills = rolledOut.processes.length - 1;
  const lines = [
    `Approved by ${approvedBy}${edited ? ', with changes' : ''}: ${args.strategy}, ${args.percentPerStep}% per step`,
    `Rolled out to ${rolledOut.regions.join(', ')}`,
    kills > 0
      ? `Killed ${kills === 1 ? 'once' : `${kills} times`} meanwhile, and nothing was lost`
      : 'Never killed. Try it next time',
    `Signed by ${signed.answer.by.name ?? signed.answer.by.id}, ${signed.values.rating} of 5 stars`,
    announcedWords(announced),
  ];
  return [
    { type: 'card', payload: { title: `${details.version} is on ${details.environment}`, text: lines.join('\n') } },
    words(`The log of this thread shows who did what and when. ${again}`),
  ];
}

function announcedWords(announced: Announced): string {
  if (announced.status !== 'answered') return 'Not announced: nobody answered';
  const when = announced.values.choice === 'now' ? 'Announced to all customers' : 'Announced tomorrow morning';
  if (announced.answer.automatic === 'deadline') return `${when}: two did not agree in time`;
  return `${when}, as ${announced.interaction.votes.map(({ by }) => by.name ?? by.id).join(' and ')} decided`;
}
