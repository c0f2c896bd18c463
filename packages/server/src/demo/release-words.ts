/** The messages of the demo. */
import type { Outcome } from '@holdpoint/agents';
import type { Block } from '@holdpoint/protocol';
import type { Announced, Plan, Signed } from './release-questions.ts';
import type { RolledOut } from './roll-out.ts';

/** Served by `http/console/demo-routes.ts`. */
const picturePath = '/console/demo/release.svg';

const words = (markdown: string): Block => ({ type: 'message', payload: { text: markdown, format: 'markdown' } });

export const greeting = ({ origin, runId }: { origin: string; runId: string }): Block[] => [
  words(
    'Hello, I am **release-manager**, an agent. I bring releases to customers, and ask where a person has to decide. I run in a process of my own, and call the same API that your agents would.',
  ),
  {
    type: 'image',
    payload: {
      url: origin + picturePath,
      alt: 'The way of a release: details, approval, roll-out, sign-off, announcement',
    },
  },
  {
    type: 'card',
    payload: {
      title: 'Aurora 2.4.0 is ready',
      text: '14 changes since 2.3.2: a faster search, exports to CSV, two security fixes.',
      actions: [{ label: 'See my journal', url: `${origin}/#/runs/${runId}` }],
    },
  },
];

export const killMe = {
  markdown:
    'Now the long part: three regions, some seconds each. **Kill me while it runs**, with the button above, or with Ctrl-C in the terminal of the server, which you then start again. I am back in a few seconds and go on where I was.',
};

export const colleaguesLink = (url: string): Block[] => [
  words(
    'You are one of the two. The other is your colleague **Sam**, who has no account here: this link is all that Sam needs. Open it in another window, or on a phone, and be Sam.',
  ),
  { type: 'link', payload: { url, label: 'Answer as Sam' } },
];

const endings: Record<Exclude<Outcome<unknown>['status'], 'answered'>, string> = {
  declined: 'You said no, and that is fine.',
  cancelled: 'Somebody withdrew the question.',
  expired: 'Nobody answered in time.',
};

export function stopped({ status, ...outcome }: Outcome<unknown>, consequence: string): Block[] {
  const reason = 'reason' in outcome && outcome.reason ? ` (“${outcome.reason}”)` : '';
  const ending = status === 'answered' ? '' : endings[status];
  return [words(`${ending.replace(/\.$/, '')}${reason}. ${consequence} ${again}`)];
}

const again = 'Open the demo once more for another round, or say something here, and I begin anew.';

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
    `Approved by ${approvedBy}${edited ? ', with changes' : ''}: ${args.strategy}, ${args.percentPerStep}% in each step`,
    `Rolled out to ${rolledOut.regions.join(', ')}`,
    kills > 0
      ? `Killed ${kills === 1 ? 'once' : `${kills} times`} on the way, and nothing was lost`
      : 'Never killed; try that next time',
    `Signed by ${signed.answer.by.id}, ${signed.values.rating} of 5 stars`,
    announcedWords(announced),
  ];
  return [
    { type: 'card', payload: { title: `${details.version} is on ${details.environment}`, text: lines.join('\n') } },
    words(`All of this is in the log of this thread, with who did what and when. ${again}`),
  ];
}

function announcedWords(announced: Announced): string {
  if (announced.status !== 'answered') return 'Not announced: the question was closed without an answer';
  const when = announced.values.choice === 'now' ? 'Announced to all customers' : 'Announced tomorrow morning';
  if (announced.answer.automatic === 'deadline') return `${when}: two did not agree in time`;
  return `${when}, as ${announced.interaction.votes.map(({ by }) => by.id).join(' and ')} decided`;
}
