/** One question at the terminal: shown, filled in, sent; and again where the server found something wrong. */
import { type Actor, defined, HoldpointError, type Interaction } from '@holdpoint/protocol';
import type { Connection } from '../connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { nameOf } from '../shown.ts';
import { type Form, Left } from './ask-field.ts';
import { fillIn, tellProblems } from './fill-in.ts';
import { showQuestion } from './show-question.ts';
import type { Terminal } from './terminal.ts';

export interface Answering {
  terminal: Terminal;
  connection: Connection;
  responder: { responder?: Actor };
  print(interaction: Interaction): void;
}

export async function answerOne(answering: Answering, interaction: Interaction): Promise<number> {
  const { terminal, connection } = answering;
  const link = `${connection.url}/#/inbox/${interaction.id}`;
  showQuestion(terminal, interaction, { link });
  if (interaction.status !== 'pending') {
    const by = interaction.closedBy ? ` by ${nameOf(interaction.closedBy)}` : '';
    terminal.say(`It is closed: ${interaction.closedReason ?? interaction.status}${by}.`);
    return exitCodes.failed;
  }
  try {
    const act = await chooseAct(terminal, answering.responder);
    if (act === 'skip') return exitCodes.done;
    return await (act === 'decline' ? decline(answering, interaction) : fillInAndSend(answering, interaction, link));
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'question-changed') {
      terminal.say(
        terminal.paint.warn('\nThe question has changed meanwhile, and nothing was sent. This is how it reads now:'),
      );
      return answerOne(answering, await connection.service.getInteraction({ interactionId: interaction.id }));
    }
    if (!(error instanceof Left)) throw error;
    terminal.say('Nothing was sent.');
    return exitCodes.interrupted;
  }
}

async function chooseAct(
  { ask, say, paint }: Terminal,
  { responder }: Answering['responder'],
): Promise<'answer' | 'decline' | 'skip'> {
  const who = responder ? ` as ${nameOf(responder)}` : '';
  for (;;) {
    const typed = await ask(`Enter to answer${who}, d to decline, s to leave it ${paint.dim('(Ctrl-C: stop)')} > `);
    if (typed === undefined) throw new Left();
    const act = ({ '': 'answer', a: 'answer', d: 'decline', s: 'skip' } as const)[typed.trim().toLowerCase() as 'a'];
    if (act) return act;
    say(paint.bad('  Type d or s, or nothing.'));
  }
}

/** To what the person was shown, and to nothing it has become since. */
export const shownOf = ({ id, digest }: Interaction): { interactionId: string; digest?: string } => ({
  interactionId: id,
  ...defined({ digest }),
});

async function decline(answering: Answering, interaction: Interaction): Promise<number> {
  const { terminal, connection, responder, print } = answering;
  const reason = await terminal.ask('why? (may be left out) > ');
  if (reason === undefined) throw new Left();
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  print(await connection.service.declineInteraction({ ...shownOf(interaction), ...responder, ...why }));
  return exitCodes.done;
}

async function fillInAndSend(answering: Answering, interaction: Interaction, link: string): Promise<number> {
  const { terminal, connection, responder, print } = answering;
  const uploads = { service: connection.service, interactionId: interaction.id };
  const form: Form = { terminal, uploads, link, recommendations: interaction.recommendations ?? {} };
  for (;;) {
    const filledIn = await fillIn(form, interaction);
    try {
      print(await connection.service.submitAnswer({ ...shownOf(interaction), ...filledIn, ...responder }));
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof HoldpointError && error.code === 'invalid-answer')) throw error;
      tellProblems(terminal, error.fault.problems ?? []);
      terminal.say('Once more, please.');
    }
  }
}
