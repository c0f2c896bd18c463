import type { FileLink, Interaction, Thread } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { png, upload } from '../../files-of-tests.ts';
import { newDatabase } from '../new-database.ts';
import { startCluster } from './cluster.ts';

test('[UP11][N1] any node serves, answers with, links to and deletes the upload of another', async () => {
  await using database = await newDatabase();
  await using cluster = await startCluster({ url: database.url, size: 2 });
  const [one, two] = await Promise.all(cluster.nodes.map((node) => cluster.someNode(node)));
  if (!one || !two) throw new Error('there are two nodes');
  const { id: threadId } = (await one.admin.post<Thread>('/v1/threads')).body;
  const fields = [{ name: 'photo', type: 'image_upload' }];
  const question = { title: 'Show me', fields };
  const { id } = (await one.admin.post<Interaction>(`/v1/threads/${threadId}/interactions`, question)).body;
  const content = Buffer.concat([png(20, 10), Buffer.alloc(600_000, 7)]);
  const { body: ref } = await upload(one.admin, id, { content });
  const answered = await two.admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values: { photo: ref } });
  expect(answered.body).toMatchObject({ status: 'answered', answer: { values: { photo: ref } } });
  const link = (await one.admin.post<FileLink>(`/v1/files/${ref.file_id}/links`)).body;
  for (const { url } of [one, two]) {
    const response = await fetch(url + link.url);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  }
  expect((await two.admin.call(`/v1/files/${ref.file_id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await fetch(one.url + link.url)).status).toBe(404);
});
