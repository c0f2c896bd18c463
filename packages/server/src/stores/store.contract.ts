/** The suite every store must pass, all of it. */
import { afterEach, beforeEach, describe } from 'vitest';
import { commitCases } from './contract/commits.contract.ts';
import { deliveryCases } from './contract/deliveries.contract.ts';
import { documentCases } from './contract/documents.contract.ts';
import { lifeCases } from './contract/life.contract.ts';
import { listCases } from './contract/lists.contract.ts';
import { logCases } from './contract/log.contract.ts';
import type { OpenedStore } from './contract/opened-store.ts';
import { recordCases } from './contract/records.contract.ts';
import { runCases } from './contract/runs.contract.ts';
import { timerCases } from './contract/timers.contract.ts';
import { toldCases } from './contract/told.contract.ts';
import { writtenCases } from './contract/written.contract.ts';

export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the contract of a store`, () => {
    let opened: OpenedStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.discard());

    for (const cases of [
      ...[commitCases, logCases, listCases, recordCases, lifeCases],
      ...[runCases, documentCases, timerCases, deliveryCases, writtenCases, toldCases],
    ])
      cases(() => opened);
  });
}
