/** A turn of the conversation: what the person says reaches the agent, as an answer or as a message. */
import {
  defined,
  type FreeObject,
  fail,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  isBlankText,
  isInputField,
  isSecretField,
  type Message,
  type StopSignal,
  type SubmitAnswer,
  type Turn,
  type Write,
} from '@holdpoint/protocol';
import { decidingField, matchAnswer } from './match-answer.ts';
import { saidIn, type TurnFacts } from './turn-codec.ts';
import type { TurnBody } from './turn-schemas.ts';

/** The agent that a chat has unless it has another. */
const agent = 'assistant';

interface Said {
  threadId: string;
  body: TurnBody;
  write: Write;
}

export async function takeTurn(service: HoldpointService, { threadId, body, write }: Said): Promise<void> {
  // As a message it would withdraw the question, and say nothing.
  if (body.message !== undefined && isBlankText(body.message)) refuse('/message', 'required', 'The message is blank.');
  const thread = await service.getThread({ threadId });
  if (thread.agent === undefined) await service.updateThread({ threadId, agent });
  const asked = await waitingQuestion(service, await service.waitForTurn({ threadId, timeoutMs: 0 }));
  const { message, selectedOptionId, values } = body;
  const exact = selectedOptionId !== undefined || values !== undefined;
  if (exact && !asked) fail('version-conflict', 'No question of this chat waits for an answer.');
  const answer = asked && (exact ? exactAnswer(asked, body) : matchAnswer(asked, message ?? ''));
  if (asked && answer && (await answered(service, asked, { ...toAnswer(asked, answer, message), ...write }, exact)))
    return;
  if (message === undefined) return refuse('/message', 'required', 'Say something, or answer the question that waits.');
  await service.postMessage({ threadId, role: 'user', text: message, ...write });
}

/** The question that the open run waits for, if it still does. */
async function waitingQuestion(service: HoldpointService, { run }: Turn): Promise<Interaction | undefined> {
  if (run?.status !== 'waiting') return undefined;
  for (const wait of run.waitingFor ?? []) {
    if (wait.type !== 'interaction') continue;
    const interaction = await service.getInteraction({ interactionId: wait.interactionId });
    if (interaction.status === 'pending') return interaction;
  }
  return undefined;
}

function exactAnswer(asked: Interaction, { selectedOptionId, values }: TurnBody): FreeObject {
  if (selectedOptionId === undefined) return values ?? {};
  const field = decidingField(asked);
  const isOption = field && 'options' in field && field.options.some(({ value }) => value === selectedOptionId);
  if (!isOption)
    refuse('/selectedOptionId', 'option', `"${selectedOptionId}" is no option of the question that waits.`);
  const picked = field?.type === 'multi_select' ? [selectedOptionId] : selectedOptionId;
  return { ...values, [field?.name ?? '']: picked };
}

/** With their words, unless these are a secret. */
function toAnswer(asked: Interaction, values: FreeObject, text: string | undefined): SubmitAnswer {
  const hasSecret = asked.fields.some((field) => isInputField(field) && isSecretField(field));
  return { values, ...defined({ metadata: text === undefined || hasSecret ? undefined : { text } }) };
}

const late = ['interaction-already-answered', 'interaction-cancelled', 'interaction-expired', 'already-voted'];

/** False where words came too late to be an answer: then they are a message. */
async function answered(
  service: HoldpointService,
  { id: interactionId }: Interaction,
  answer: SubmitAnswer & Write,
  exact: boolean,
): Promise<boolean> {
  try {
    await service.submitAnswer({ interactionId, ...answer });
    return true;
  } catch (error) {
    if (!exact && error instanceof HoldpointError && late.includes(error.code)) return false;
    throw error;
  }
}

const refuse = (pointer: string, code: string, message: string): never =>
  fail('invalid-input', message, { problems: [{ pointer, code, message }] });

/** Waits for the turn to end, no longer than its time, and gathers what it came to. */
export async function awaitTurn(
  service: HoldpointService,
  { threadId, timeoutMs, signal }: { threadId: string; timeoutMs: number; signal?: StopSignal },
): Promise<TurnFacts> {
  const turn = await service.waitForTurn({ threadId, timeoutMs, ...defined({ signal }) });
  const [asked, said] = await Promise.all([waitingQuestion(service, turn), saidSince(service, threadId, turn)]);
  return { turn, said, asked };
}

async function saidSince(service: HoldpointService, threadId: string, { run }: Turn): Promise<Message[]> {
  // From the input itself on: without one in sight, what came before it would be told again.
  let said: Message[] = [];
  for (let after: number | undefined = run ? run.deliveredSeq - 1 : 0; after !== undefined; ) {
    const { data, next } = await service.readLog({ threadId, after });
    said = saidIn(data, said);
    after = next === undefined ? undefined : Number(next);
  }
  return Promise.all(said.map((message) => (message.state === 'streaming' ? soFar(service, message) : message)));
}

const soFar = (service: HoldpointService, { id: messageId }: Message): Promise<Message> =>
  service.getMessage({ messageId });
