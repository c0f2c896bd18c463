import { HoldpointError } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { lostData } from './open-data.ts';

test('a start that loses its database says which one, without its password, and leaves other errors alone', () => {
  const config = { dataFolder: '/data', databaseUrl: 'postgres://ann:secret@127.0.0.1:5432/holdpoint' };
  const away = new HoldpointError({ code: 'storage-unavailable', detail: 'The database is away.' });
  expect(lostData(config, away)).toEqual(
    new ConfigError('the database 127.0.0.1:5432/holdpoint cannot be used: The database is away.', { cause: away }),
  );
  const other = new Error('a fault of ours');
  expect(lostData(config, other)).toBe(other);
});
