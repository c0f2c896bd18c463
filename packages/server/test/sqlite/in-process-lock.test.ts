/** One folder, one process: the words are those of the server. */
import { expect, test } from 'vitest';
import { createHoldpoint } from '../../src/index.ts';
import { lockFolder } from '../../src/stores/sqlite/data-folder.ts';
import { newFolderPlace } from './folder-place.ts';

test('[IP6][S4] a folder that is in use is refused in the words of the server, and is free after close', async () => {
  await using place = await newFolderPlace();
  const { dataFolder: data } = place.config;
  const hp = await createHoldpoint({ data });
  let told = '';
  try {
    lockFolder(data);
  } catch (error) {
    told = (error as Error).message;
  }
  expect(told).toContain(data);
  await expect(createHoldpoint({ data })).rejects.toThrow(told);
  await hp.close();
  const next = await createHoldpoint({ data });
  await next.close();
});
