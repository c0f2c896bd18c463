/** One folder belongs to one process. The error is that of the server. */
import { expect, test } from 'vitest';
import { createHoldpoint } from '../../src/index.ts';
import { lockFolder } from '../../src/stores/sqlite/data-folder.ts';
import { newFolderPlace } from './folder-place.ts';

test('[IP6][S4] a folder in use is refused with the error of the server, and is free after close', async () => {
  await using place = await newFolderPlace();
  const { dataFolder: data } = place.config;
  const hp = await createHoldpoint({ data });
  let message = '';
  try {
    lockFolder(data);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(data);
  await expect(createHoldpoint({ data })).rejects.toThrow(message);
  await hp.close();
  const next = await createHoldpoint({ data });
  await next.close();
});
