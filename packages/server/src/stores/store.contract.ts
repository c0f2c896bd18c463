/** The suite every store must pass, all of it. */
import { afterEach, beforeEach, describe } from 'vitest';
import { assigneeCases } from './contract/assignees.contract.ts';
import { boundedReadCases } from './contract/bounded-reads.contract.ts';
import { commitCases } from './contract/commits.contract.ts';
import { deliveryCases } from './contract/deliveries.contract.ts';
import { documentCases } from './contract/documents.contract.ts';
import { ephemeralCases } from './contract/ephemeral.contract.ts';
import { lifeCases } from './contract/life.contract.ts';
import { listCases } from './contract/lists.contract.ts';
import { logCases } from './contract/log.contract.ts';
import type { Cases, OpenedStore } from './contract/opened-store.ts';
import { recordCases } from './contract/records.contract.ts';
import { runCases } from './contract/runs.contract.ts';
import { timerCases } from './contract/timers.contract.ts';
import { writtenCases } from './contract/written.contract.ts';

const everyCase: readonly Cases[] = [
  ...[commitCases, logCases, listCases, assigneeCases, recordCases, lifeCases],
  ...[runCases, documentCases, timerCases, deliveryCases, writtenCases, ephemeralCases],
];

export const storeContract = (name: string, open: () => Promise<OpenedStore>): void =>
  contract(`${name} keeps the contract of a store`, open, everyCase);

/** Runs the same reads on a store that examines one row in each step. */
export const stepwiseContract = (name: string, open: () => Promise<OpenedStore>): void =>
  contract(`${name} reads the same row by row`, open, [listCases, assigneeCases, logCases, runCases, boundedReadCases]);

function contract(name: string, open: () => Promise<OpenedStore>, all: readonly Cases[]): void {
  describe(name, () => {
    let opened: OpenedStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.discard());

    for (const cases of all) cases(() => opened);
  });
}
