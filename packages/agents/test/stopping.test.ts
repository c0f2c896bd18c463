/** A worker that stops while a run is executed: the execution settles, whatever it was about to do. */
import { form, text } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { agent } from '../src/agent.ts';
import { Superseded } from '../src/engine/errors.ts';
import { executeRun } from '../src/engine/execute-run.ts';
import { execute, type Program } from './execute.ts';
import { MemoryService } from './memory-service.ts';

const program: Program = async (ctx) => {
  const outcome = await ctx.ask(form({ a: text() }), { orMessage: true });
  return outcome.status;
};

/** A run whose question waits, and whose message has come. */
async function interrupted(): Promise<MemoryService> {
  const memory = new MemoryService();
  await execute(memory, program);
  memory.say('Instead');
  return memory;
}

test('[DA10] one that stops gives back a run whose question a message is about to withdraw', async () => {
  const memory = await interrupted();
  const options = { service: memory.service, agent: agent('a', program), run: memory.resume(), now: () => memory.now };
  const { signal } = new AbortController();
  expect(await executeRun({ ...options, signal, onStarted: (stop) => stop() })).toBe(false);
  expect(memory.interactions.get('i1')?.status).toBe('pending');
  expect(await execute(memory, program)).toMatchObject({ status: 'completed', result: 'message' });
});

test('[DA10] one that is cut off leaves a question that the service says nothing of', async () => {
  const memory = await interrupted();
  const cutOff = new AbortController();
  const getInteraction = () => {
    cutOff.abort();
    return new Promise<never>(() => {});
  };
  const service = { ...memory.service, getInteraction };
  const options = { service, agent: agent('a', program), run: memory.resume(), now: () => memory.now };
  await expect(executeRun({ ...options, signal: cutOff.signal })).rejects.toBeInstanceOf(Superseded);
});
