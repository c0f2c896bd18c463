/** The stories of the client, in process. */
import { afterAll, beforeAll, describe } from 'vitest';
import { createHoldpoint, type EmbeddedHoldpoint } from '../../src/index.ts';
import { holdpointStories } from '../client/holdpoint.suite.ts';
import type { DataPlace } from '../data-place.ts';
import { newPlace } from '../new-place.ts';
import { optionsFor } from './embedded.ts';

describe('[IP1] what runs against a server runs in process', () => {
  let place: DataPlace;
  let hp: EmbeddedHoldpoint;
  beforeAll(async () => {
    place = await newPlace();
    hp = await createHoldpoint(optionsFor(place));
  });
  afterAll(async () => {
    await hp.close();
    await place[Symbol.asyncDispose]();
  });
  holdpointStories(async () => hp);
});
