/** Answers one request at the terminal: show it, fill it in, send it, and repeat if the server rejects the answer. */
import {
  type ActorRef,
  coverageOf,
  defined,
  type FreeObject,
  HoldpointError,
  type Interaction,
  isInputField,
  offersAlways,
  visibleFields,
} from '@holdpoint/protocol';
import { exitCodes } from '../command.ts';
import type { Connection } from '../connection.ts';
import { awaited, endOf, lines, nameOf, oneLine, shortly, span } from '../terminal-text.ts';
import { askField, type Form, Left } from './ask-field.ts';
import type { Terminal } from './terminal.ts';

export interface Answering {
  terminal: Terminal;
  connection: Connection;
  responder: { responder?: ActorRef };
  print(interaction: Interaction): void;
}

export async function answerOne(answering: Answering, interaction: Interaction): Promise<number> {
  const { terminal, connection } = answering;
  const link = `${connection.url}/#/inbox/${interaction.id}`;
  showQuestion(terminal, interaction, { link });
  if (interaction.status !== 'pending') {
    const by = interaction.closedBy ? ` by ${nameOf(interaction.closedBy)}` : '';
    terminal.say(`This request is closed: ${interaction.closedReason ?? interaction.status}${by}.`);
    return exitCodes.failed;
  }
  try {
    const act = await chooseAct(terminal, answering.responder);
    if (act === 'skip') return exitCodes.done;
    return await (act === 'decline' ? decline(answering, interaction) : fillInAndSend(answering, interaction, link));
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'question-changed') {
      terminal.say(terminal.paint.warn('\nThe request changed meanwhile, so nothing was sent. The current request:'));
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
  const as = responder ? ` as ${nameOf(responder)}` : '';
  for (;;) {
    const typed = await ask(`Press Enter to answer${as}, d to decline, s to skip ${paint.dim('(Ctrl-C: stop)')} > `);
    if (typed === undefined) throw new Left();
    const act = ({ '': 'answer', a: 'answer', d: 'decline', s: 'skip' } as const)[typed.trim().toLowerCase() as 'a'];
    if (act) return act;
    say(paint.bad('  Press Enter, or type d or s.'));
  }
}

/** Identifies the version that the user saw, so that the answer applies to no other. */
export const shownOf = ({ id, digest }: Interaction) => ({ interactionId: id, ...defined({ digest }) });

async function decline(answering: Answering, interaction: Interaction): Promise<number> {
  const { terminal, connection, responder, print } = answering;
  const reason = await terminal.ask('Reason (optional) > ');
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
      for (const { pointer, message } of error.fault.problems ?? [])
        terminal.say(
          terminal.paint.bad(`  ${oneLine(`${pointer.startsWith('/payload') ? `${pointer}: ` : ''}${message}`)}`),
        );
      terminal.say('Correct the answer.');
    }
  }
}

/** Asks for one field after another. A field is shown when earlier values make it visible. */
async function fillIn(form: Form, { fields, payloadSchema, kind }: Interaction) {
  const values: FreeObject = {};
  const passed = new Set<number>();
  // A rule may refer to a later field, so visibility is computed again after each field.
  for (let index = nextOf(fields, values, passed); index !== undefined; index = nextOf(fields, values, passed)) {
    passed.add(index);
    const field = fields[index];
    if (!field) break;
    if (!isInputField(field)) {
      if ('text' in field) form.terminal.say(`\n${lines(field.text)}`);
      continue;
    }
    const value = await askField(form, field);
    if (value !== undefined) values[field.name] = value;
    if (kind === 'approval' && isRejected(field, value)) break;
  }
  const isAsked = payloadSchema !== undefined && fields.filter(isInputField).length === 0;
  return { values, ...defined({ payload: isAsked ? await askPayload(form) : undefined }) };
}

function nextOf(fields: Interaction['fields'], values: FreeObject, passed: ReadonlySet<number>): number | undefined {
  const visible = new Set(visibleFields(fields, values));
  const index = fields.findIndex((field, place) => !passed.has(place) && visible.has(field));
  return index === -1 ? undefined : index;
}

/** A rejection needs no further fields. */
function isRejected(field: Interaction['fields'][number], value: unknown): boolean {
  if (!('options' in field) || field.name !== 'decision') return false;
  return field.options.some((option) => option.value === value && option.kind?.startsWith('reject'));
}

async function askPayload({ terminal }: Form): Promise<unknown> {
  for (;;) {
    const typed = await terminal.ask('Answer as JSON > ');
    if (typed === undefined) throw new Left();
    try {
      return JSON.parse(typed);
    } catch {
      terminal.say(terminal.paint.bad('  This is not JSON.'));
    }
  }
}

function showQuestion({ paint, say }: Terminal, interaction: Interaction, { link }: { link: string }): void {
  const { title, body, content = [], arguments: args, createdBy, createdAt, deadline } = interaction;
  say(`\n${paint.bold(oneLine(title))}`);
  say(
    paint.dim(
      `from ${nameOf(createdBy)} ${span(Date.now() - Date.parse(createdAt))} ago, waiting for ${awaited(interaction)}`,
    ),
  );
  if (deadline) say(paint.warn(endOf(deadline, Date.now())));
  if (body) say(lines(body));
  for (const { type, payload } of content) say(blockWords(type, payload));
  for (const [name, value] of Object.entries(args ?? {})) say(`  ${oneLine(name)}: ${shortly(value)}`);
  for (const line of alwaysLines(interaction)) say(paint.warn(line));
  if (content.length > 0) say(paint.dim(`full request: ${link}`));
}

function blockWords(type: string, { title, text, url, alt, label }: Record<string, unknown>): string {
  const words = [title, text, label ?? alt, url].filter((each) => typeof each === 'string').map(lines);
  return `  [${oneLine(type)}] ${words.join(' ')}`;
}

const scopes = {
  run: 'only in this run of the agent',
  thread: 'only in this thread',
  org: 'in every thread',
} as const;

/** Describes what an `_always` option would cover. */
function alwaysLines(interaction: Interaction): string[] {
  const { grant, origin, fields } = interaction;
  if (!grant || !offersAlways(interaction)) return [];
  const proposed = fields
    .filter(isInputField)
    .flatMap((field) => ('default' in field ? [[field.name, field.default]] : []));
  const { arguments: fixed, variable } = coverageOf(interaction, Object.fromEntries(proposed));
  const listed = (names: string[]) => names.map(oneLine).join(', ');
  return [
    `"Always" covers requests from this agent that read the same as this one (${oneLine(origin.reference ?? grant.key)}):`,
    ...(Object.keys(fixed).length > 0
      ? [`  only with these values, as you leave them: ${listed(Object.keys(fixed))}`]
      : []),
    ...(variable.length > 0 ? [`  with any value: ${listed(variable)}`] : []),
    `  ${scopes[grant.scope]}, ${grant.forMs === undefined ? 'until someone revokes it' : `for ${span(grant.forMs)}`}`,
  ];
}
