/** A new place for data, of the store of this test run. */
import { inject } from 'vitest';
import type { DataPlace } from './data-place.ts';
import { newDatabasePlace } from './postgres/database-place.ts';
import { newFolderPlace } from './sqlite/folder-place.ts';

const places = { sqlite: async () => newFolderPlace(), postgres: newDatabasePlace };

declare module 'vitest' {
  interface ProvidedContext {
    store: keyof typeof places;
  }
}

export const newPlace = (): Promise<DataPlace> => places[inject('store')]();
