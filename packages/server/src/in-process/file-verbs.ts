/** The verbs that carry bytes, with the checks of their routes. */
import {
  type AttachFile,
  defined,
  fail,
  type HoldpointService,
  type Problem,
  type VerbCall,
  type VerbName,
  verbCalls,
} from '@holdpoint/protocol';
import { inputCheck } from '../http/requests/read-input.ts';
import { invalidInput } from '../operations/invalid-input.ts';
import { givenCopy } from './json-copy.ts';

const checkOf = (verb: VerbName) => inputCheck(verbCalls.find((call) => call.verb === verb) as VerbCall);
const checkUpload = checkOf('uploadFile');
const checkAttach = checkOf('attachFile');
const checkOpen = checkOf('openFile');

export function fileVerbs(service: HoldpointService): Pick<HoldpointService, 'uploadFile' | 'attachFile' | 'openFile'> {
  return {
    async uploadFile({ interactionId, field, name, ...sent }) {
      checkUpload({ params: defined({ interactionId }), query: defined({ field, name }), body: {} });
      return givenCopy(await service.uploadFile({ interactionId, field, name, ...checkedContent(sent) }));
    },
    async attachFile({ threadId, messageId, name, ...sent }) {
      checkAttach({ params: defined({ threadId }), query: defined({ messageId, name }), body: {} });
      const input = { threadId, ...defined({ messageId }), name, ...checkedContent(sent) };
      return givenCopy(await service.attachFile(input));
    },
    async openFile({ fileId, from, to }) {
      checkOpen({ params: defined({ fileId }), query: {}, body: {} });
      if (!isSize(from) || !isSize(to)) throw invalidInput([problem('/from', 'Give whole numbers as from and to.')]);
      const { file, content } = await service.openFile({ fileId, ...defined({ from, to }) });
      const isPart = from !== undefined || to !== undefined;
      if (isPart && (from ?? 0) >= Math.min(to ?? file.size, file.size))
        fail('range-not-satisfiable', `The file has ${file.size} bytes.`);
      return { file: givenCopy(file), content };
    },
  };
}

type Sent = Pick<AttachFile, 'mime' | 'announcedBytes' | 'content'>;

function checkedContent({ mime = 'application/octet-stream', announcedBytes, content }: Sent): Sent {
  const problems: Problem[] = [
    ...(typeof mime === 'string' ? [] : [problem('/mime', 'Give a text.')]),
    ...(isSize(announcedBytes) ? [] : [problem('/announcedBytes', 'Give a whole number.')]),
    ...(isPieces(content) ? [] : [problem('/content', 'Give pieces of bytes that can be iterated over.')]),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  return { mime, ...defined({ announcedBytes }), content: onlyBytes(content) };
}

const problem = (pointer: string, message: string): Problem => ({ pointer, code: 'type', message });
const isSize = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
const isPieces = (value: unknown): boolean =>
  typeof (value as AsyncIterable<unknown>)?.[Symbol.asyncIterator] === 'function';

async function* onlyBytes(content: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    if (!(piece instanceof Uint8Array)) throw invalidInput([problem('/content', 'Give pieces that are bytes.')]);
    yield piece;
  }
}
