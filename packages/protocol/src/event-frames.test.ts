import { expect, test } from 'vitest';
import { frameParser } from './event-frames.ts';

const stream = 'retry: 1000\nid: 1\n\n: ping\n\nid: 2\nevent: x\ndata: {"a":"b: c"}\n\ndata: one\ndata: two\n\n';
const frames = [
  { id: '1', data: '' },
  { id: '', data: '' },
  { id: '2', data: '{"a":"b: c"}' },
  { id: '', data: 'one\ntwo' },
];

test('[CL7] frames are the same however the stream is cut into pieces', () => {
  for (let size = 1; size <= stream.length; size++) {
    const parse = frameParser();
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.slice(index * size, (index + 1) * size),
    );
    expect(pieces.flatMap(parse)).toEqual(frames);
  }
});

test('[CL7] a frame that the stream does not finish is dropped', () => {
  expect(frameParser()('id: 1\ndata: {}\n\nid: 2\ndata: {"half":')).toEqual([{ id: '1', data: '{}' }]);
});
