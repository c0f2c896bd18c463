/** Holdpoint in the process of a test, on data of its own. */
import { onTestFinished } from 'vitest';
import type { World } from '../../src/engine.ts';
import { embed } from '../../src/in-process/embed.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from '../../src/in-process/embedded-holdpoint.ts';
import type { DataPlace } from '../data-place.ts';
import { newPlace } from '../new-place.ts';

type More = Pick<HoldpointOptions, 'agents' | 'publicUrl' | 'adminKey'>;

export async function embeddedHoldpoint(more: More = {}, world: World = {}): Promise<EmbeddedHoldpoint> {
  const place = await newPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  return embedOn(place, more, world);
}

/** Closed after the test at the latest. */
export async function embedOn(place: DataPlace, more: More = {}, world: World = {}): Promise<EmbeddedHoldpoint> {
  const hp = await embed({ ...optionsFor(place), ...more, logLevel: 'silent' }, world);
  onTestFinished(() => hp.close());
  return hp;
}

export const optionsFor = ({ config: { databaseUrl, dataFolder } }: DataPlace): HoldpointOptions =>
  databaseUrl === undefined ? { data: dataFolder } : { databaseUrl };
