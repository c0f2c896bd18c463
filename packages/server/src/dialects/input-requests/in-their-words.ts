/** What went wrong, said of conversations and input requests, with pointers into what was sent. */
import { type Fault, HoldpointError, type Problem } from '@holdpoint/protocol';

/** The places of our question, and the places they were sent at. */
const places: readonly [RegExp, string][] = [
  [/^\/spelling\/sent(?=\/)/, ''],
  [/^\/spelling(\/.*)?$/, '/fields'],
  [/^\/deadline(\/.*)?$/, '/expires_at'],
  [/^\/body$/, '/description'],
  [/^\/run\/id$/, '/run_id'],
  [/^\/run\/toolCallId$/, '/tool_call_id'],
  [/^\/responder(\/.*)?$/, '/requested_responder_type'],
  [/^\/submitLabel$/, '/metadata/submitLabel'],
  [/^\/payload(\/.*)?$/, '/values/payload'],
  [/^(\/fields\/\d+)\/default$/, '$1/defaultValue'],
  [/^(\/fields\/\d+)\/customType$/, '$1/type'],
];

const sentences: Partial<Record<Fault['code'], string>> = {
  'thread-not-found': 'There is no such conversation.',
  'thread-exists': 'There is a conversation with this id already.',
  'interaction-not-found': 'There is no such input request.',
};

/** Awaits what our verbs do, and says a refusal as whoever speaks this dialect would. */
export async function inTheirWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof HoldpointError ? new HoldpointError(reworded(error.fault), { cause: error.cause }) : error;
  }
}

function reworded(fault: Fault): Fault {
  const { code, detail, problems } = fault;
  if (!problems) return { ...fault, detail: sentences[code] ?? detail.replace(/^The interaction\b/, 'The request') };
  const moved = problems.map((problem) => ({ ...problem, pointer: theirPlace(problem.pointer) }));
  return { ...fault, problems: moved, detail: code === 'invalid-input' ? sentenceOf(moved) : detail };
}

function theirPlace(pointer: string): string {
  const [place, sent] = places.find(([place]) => place.test(pointer)) ?? [];
  return place && sent !== undefined ? pointer.replace(place, sent) : pointer;
}

/** The first few are told in the sentence; all of them are in the list. */
const told = 5;

export function sentenceOf(problems: readonly Problem[]): string {
  const sentences = problems
    .slice(0, told)
    .map(({ pointer, message }) => `${pointer.slice(0, 200) || '/'}: ${message}`);
  const more = problems.length > told ? [`And ${problems.length - told} more.`] : [];
  return [...sentences, ...more].join(' ');
}
