/** A store for one task, also in a file that outlives the process. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Task } from '@a2a-js/sdk';
import { InMemoryTaskStore, type ServerCallContext } from '@a2a-js/sdk/server';
import { callContext } from '../a2a-server.ts';

export class FileTaskStore extends InMemoryTaskStore {
  readonly #file: string;

  constructor(folder: string) {
    super();
    this.#file = join(folder, 'task.json');
  }

  /** The task of the process before, if there is one. */
  async open(): Promise<Task | undefined> {
    if (!existsSync(this.#file)) return undefined;
    const task = Task.fromJSON(JSON.parse(readFileSync(this.#file, 'utf8')));
    await super.save(task, callContext());
    return task;
  }

  override async save(task: Task, context: ServerCallContext) {
    await super.save(task, context);
    writeFileSync(`${this.#file}.new`, JSON.stringify(Task.toJSON(task)));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
