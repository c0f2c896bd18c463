/** What went wrong, said of conversations and input requests, with pointers into what was sent. */
import { type Fault, sentenceOf } from '@holdpoint/protocol';
import { moved, type Places, placeOf, rewording } from '../places.ts';

/** The places of our question, and the places they were sent at. */
const places: Places = [
  [/^\/original\/sent(?=\/)/, ''],
  [/^\/original(\/.*)?$/, '/fields'],
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
export const inTheirWords = <T>(work: Promise<T>): Promise<T> => rewording(reworded, () => work);

function reworded(fault: Fault): Fault {
  const { code, detail } = fault;
  const { problems } = moved(fault, (ours) => placeOf(ours, places));
  if (!problems) return { ...fault, detail: sentences[code] ?? detail.replace(/^The interaction\b/, 'The request') };
  return { ...fault, problems, detail: code === 'invalid-input' ? sentenceOf(problems) : detail };
}
