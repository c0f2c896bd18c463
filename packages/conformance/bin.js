#!/usr/bin/env node
/** The bundle where it was built, else its sources, which Node reads as they are. */
import { existsSync } from 'node:fs';

const built = new URL('./dist/cli.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('./src/cli.ts', import.meta.url).href);
