#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --no-parallel-scavenge
/** The bundle where it was built, else its sources. It is here before either is made, so that `npm ci` can link the command. */
import { existsSync } from 'node:fs';

const built = new URL('./dist/cli.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('./src/cli.ts', import.meta.url).href);
