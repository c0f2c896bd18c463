/** Writes one change inside the open transaction. It checks everything first, so a refused change has written nothing. */
import type { DatabaseSync } from 'node:sqlite';
import { type EncodedChange, type EncodedDocument, readIdempotency } from '../sql/encode-change.ts';
import type { Claim, IdempotencyRecord } from '../store.ts';
import type { ClaimJob, MoveJob } from './claim-timers.ts';

export function changeApplier(db: DatabaseSync): (change: EncodedChange) => Written {
  const prepare = (sql: string) => db.prepare(sql);
  const findIdempotency = prepare(
    'SELECT fingerprint, resource_type, resource_id FROM idempotency WHERE org_id = ? AND key = ?',
  );
  const findInteraction = prepare('SELECT 1 FROM interactions WHERE org_id = ? AND id = ?');
  const findThread = prepare('SELECT version FROM threads WHERE org_id = ? AND id = ?');
  const findOrg = prepare('SELECT 1 FROM orgs WHERE id = ?');
  const findOpenGrant = prepare('SELECT 1 FROM grants WHERE org_id = ? AND id = ? AND is_open = 1');
  const findSecrets = prepare('SELECT 1 FROM secrets WHERE org_id = ? AND interaction_id = ?');
  const findApiKey = prepare('SELECT record FROM api_keys WHERE hash = ?');

  const addOrg = prepare('INSERT INTO orgs (id, created_at) VALUES (?, ?)');
  const addThread = prepare('INSERT INTO threads (org_id, id, record) VALUES (?, ?, ?)');
  const setThread = prepare('UPDATE threads SET version = ?, record = ? WHERE org_id = ? AND id = ?');
  const setMessage = prepare('UPDATE messages SET record = ? WHERE org_id = ? AND id = ?');
  const addMessage = prepare('INSERT INTO messages (org_id, id, thread_id, record) VALUES (?, ?, ?, ?)');
  const addInteraction = prepare(
    `INSERT INTO interactions (org_id, id, thread_id, run_id, kind, status, version, is_declined, wait_ms, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setInteraction = prepare(
    `UPDATE interactions SET status = ?, version = ?, is_declined = ?, wait_ms = ?, record = ?
     WHERE org_id = ? AND id = ? AND version = ?`,
  );
  const assign = prepare('INSERT OR IGNORE INTO assigned (org_id, responder_id, id) VALUES (?, ?, ?)');
  const unassign = prepare('DELETE FROM assigned WHERE org_id = ? AND responder_id = ? AND id = ?');
  const addGrant = prepare(
    'INSERT INTO grants (org_id, id, key, reach, expires_at, is_open, record) VALUES (?, ?, ?, ?, ?, 1, ?)',
  );
  const closeGrant = prepare('UPDATE grants SET is_open = 0, record = ? WHERE org_id = ? AND id = ?');
  const addSecrets = prepare('INSERT INTO secrets (org_id, interaction_id, vals) VALUES (?, ?, ?)');
  const dropSecrets = prepare('DELETE FROM secrets WHERE org_id = ? AND interaction_id = ?');
  const addApiKey = prepare('INSERT INTO api_keys (hash, org_id, id, record) VALUES (?, ?, ?, ?)');
  const setApiKey = prepare('UPDATE api_keys SET record = ? WHERE hash = ?');
  const lastSeq = prepare('SELECT max(seq) AS seq FROM events WHERE org_id = ? AND thread_id = ?');
  const addEvent = prepare(
    `INSERT INTO events (org_id, thread_id, seq, type, at, actor, interaction_id, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addIdempotency = prepare(
    'INSERT INTO idempotency (org_id, key, fingerprint, resource_type, resource_id) VALUES (?, ?, ?, ?, ?)',
  );
  const documents = documentWriter(db);
  const runs = runWriter(db);
  const writeTimers = timerWriter(db);
  const writeDeliveries = deliveryWriter(db);

  return (change) => {
    const seq = lastSeqOf(change);
    return refusal(change, seq) ?? write(change, seq);
  };

  function refusal(change: EncodedChange, seq: number): Written | undefined {
    const { orgId, idempotency, interaction, newThread, changedThread, changedApiKey, log } = change;
    if (idempotency) {
      const row = findIdempotency.get(orgId, idempotency.key);
      if (row) return { ok: false, reason: 'repeated', earlier: readIdempotency(idempotency.key, row) };
    }
    const isTaken =
      (interaction?.expectedVersion === 0 && findInteraction.get(orgId, interaction.id)) ||
      (newThread && findThread.get(orgId, newThread.id)) ||
      (changedThread && findThread.get(orgId, changedThread.id)?.version !== changedThread.expectedVersion) ||
      (change.newOrg && findOrg.get(change.newOrg.id)) ||
      (change.newApiKey && findApiKey.get(change.newApiKey.hash)) ||
      (changedApiKey && findApiKey.get(changedApiKey.hash)?.record !== changedApiKey.expected) ||
      (change.closedGrant && !findOpenGrant.get(orgId, change.closedGrant.id)) ||
      (change.takenSecrets && !findSecrets.get(orgId, change.takenSecrets.interactionId)) ||
      runs.isOvertaken(change) ||
      documents.isOvertaken(change);
    if (isTaken) return { ok: false, reason: 'conflict' };
    if (log && log.threadId !== newThread?.id && seq === 0 && !findThread.get(orgId, log.threadId))
      return { ok: false, reason: 'no-thread' };
    return undefined;
  }

  /** 0 where the thread has no event yet, and so is new or not there. */
  function lastSeqOf({ orgId, log }: EncodedChange): number {
    return log ? Number(lastSeq.get(orgId, log.threadId)?.seq ?? 0) : 0;
  }

  function write(change: EncodedChange, seq: number): Written {
    const { orgId, newOrg, newThread, changedThread, newMessage, changedMessage, interaction } = change;
    const { newGrant, closedGrant, newApiKey, changedApiKey } = change;
    if (interaction) {
      const { id, threadId, runId, kind, status, version, expectedVersion, isDeclined, waitMs, record } = interaction;
      const now = [status, version, isDeclined, waitMs, record];
      if (expectedVersion === 0) addInteraction.run(orgId, id, threadId, runId, kind, ...now);
      // The last check and the first write in one: where the version is another, nothing was written.
      else if (setInteraction.run(...now, orgId, id, expectedVersion).changes === 0)
        return { ok: false, reason: 'conflict' };
      const note = status === 'pending' ? assign : unassign;
      for (const responderId of interaction.assignees ?? []) note.run(orgId, responderId, id);
    }
    if (newOrg) addOrg.run(newOrg.id, newOrg.createdAt);
    if (newThread) addThread.run(orgId, newThread.id, newThread.record);
    if (changedThread) setThread.run(changedThread.version, changedThread.record, orgId, changedThread.id);
    if (newMessage) addMessage.run(orgId, newMessage.id, newMessage.threadId, newMessage.record);
    if (changedMessage) setMessage.run(changedMessage.record, orgId, changedMessage.id);
    if (newGrant) {
      const { id, key, reach, expiresAt, record } = newGrant;
      addGrant.run(orgId, id, key, reach, expiresAt, record);
    }
    if (closedGrant) closeGrant.run(closedGrant.record, orgId, closedGrant.id);
    if (change.newSecrets) addSecrets.run(orgId, change.newSecrets.interactionId, change.newSecrets.vals);
    if (change.takenSecrets) dropSecrets.run(orgId, change.takenSecrets.interactionId);
    if (newApiKey) addApiKey.run(newApiKey.hash, newApiKey.orgId, newApiKey.id, newApiKey.record);
    if (changedApiKey) setApiKey.run(changedApiKey.record, changedApiKey.hash);
    runs.write(change);
    documents.write(change);
    writeTimers(change);
    writeDeliveries(change);
    if (change.idempotency) {
      const { key, fingerprint, resource } = change.idempotency;
      addIdempotency.run(orgId, key, fingerprint, resource.type, resource.id);
    }
    return { ok: true, ...append(change, seq + 1) };
  }

  function append({ orgId, log }: EncodedChange, seq: number): { position: number; seq: number } {
    if (!log || log.events.length === 0) return { position: 0, seq: 0 };
    let position = 0;
    log.events.forEach(({ type, at, actor, interactionId, data }, index) => {
      const added = addEvent.run(orgId, log.threadId, seq + index, type, at, actor, interactionId, data);
      position ||= Number(added.lastInsertRowid);
    });
    return { position, seq };
  }
}

interface RunWriter {
  /** Whether the run has another version than expected, or its thread another run that is open. */
  isOvertaken(change: EncodedChange): boolean;
  write(change: EncodedChange): void;
}

function runWriter(db: DatabaseSync): RunWriter {
  const find = db.prepare('SELECT version FROM runs WHERE org_id = ? AND id = ?');
  const findOpen = db.prepare(
    `SELECT id FROM runs WHERE org_id = ? AND thread_id = ? AND status IN ('running', 'waiting')`,
  );
  const add = db.prepare(
    'INSERT INTO runs (org_id, id, thread_id, agent, status, version, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const set = db.prepare('UPDATE runs SET status = ?, version = ?, record = ? WHERE org_id = ? AND id = ?');
  const addEntry = db.prepare('INSERT INTO journal (org_id, run_id, idx, record) VALUES (?, ?, ?, ?)');

  return {
    isOvertaken({ orgId, run }) {
      if (!run) return false;
      if ((find.get(orgId, run.id)?.version ?? 0) !== run.expectedVersion) return true;
      const open = run.isOpen ? findOpen.get(orgId, run.threadId) : undefined;
      return open !== undefined && open.id !== run.id;
    },
    write({ orgId, run, newEntries = [] }) {
      if (!run) return;
      const { id, threadId, agent, status, version, expectedVersion, record } = run;
      if (expectedVersion === 0) add.run(orgId, id, threadId, agent, status, version, record);
      else set.run(status, version, record, orgId, id);
      for (const entry of newEntries) addEntry.run(orgId, id, entry.index, entry.record);
    },
  };
}

interface DocumentWriter {
  /** Whether a document has another revision than expected, or a name that is another's. */
  isOvertaken(change: EncodedChange): boolean;
  write(change: EncodedChange): void;
}

function documentWriter(db: DatabaseSync): DocumentWriter {
  const find = db.prepare('SELECT revision FROM documents WHERE org_id = ? AND type = ? AND id = ?');
  const findNamesake = db.prepare('SELECT id FROM documents WHERE org_id = ? AND type = ? AND alias = ?');
  const set = db.prepare(
    `INSERT INTO documents (org_id, type, id, revision, alias, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, type, id)
     DO UPDATE SET revision = excluded.revision, alias = excluded.alias, record = excluded.record`,
  );
  const drop = db.prepare('DELETE FROM documents WHERE org_id = ? AND type = ? AND id = ?');

  const isNameTaken = (orgId: string, { type, id, alias }: EncodedDocument): boolean => {
    const namesake = alias === null ? undefined : findNamesake.get(orgId, type, alias);
    return namesake !== undefined && namesake.id !== id;
  };

  return {
    isOvertaken: ({ orgId, documents = [] }) =>
      documents.some((document) => {
        const { type, id, expected } = document;
        return (find.get(orgId, type, id)?.revision ?? null) !== expected || isNameTaken(orgId, document);
      }),
    write({ orgId, documents = [] }) {
      for (const { type, id, revision, alias, record } of documents)
        if (record === null) drop.run(orgId, type, id);
        else set.run(orgId, type, id, revision, alias, record);
    },
  };
}

function timerWriter(db: DatabaseSync): (change: EncodedChange) => void {
  const set = db.prepare(
    `INSERT INTO timers (org_id, kind, id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, kind, id) DO UPDATE SET due_at = excluded.due_at, claimed_from = NULL`,
  );
  const drop = db.prepare('DELETE FROM timers WHERE org_id = ? AND kind = ? AND id = ?');

  return ({ orgId, timers = [] }) => {
    for (const { kind, id, dueAt } of timers)
      if (dueAt === null) drop.run(orgId, kind, id);
      else set.run(orgId, kind, id, dueAt);
  };
}

function deliveryWriter(db: DatabaseSync): (change: EncodedChange) => void {
  const add = db.prepare('INSERT INTO deliveries (org_id, webhook_id, id, status, record) VALUES (?, ?, ?, ?, ?)');
  const set = db.prepare(
    'UPDATE deliveries SET status = ?, record = ? WHERE org_id = ? AND webhook_id = ? AND id = ? AND status = ?',
  );

  return ({ orgId, newDeliveries = [], changedDeliveries = [] }) => {
    for (const { webhookId, id, status, record } of newDeliveries) add.run(orgId, webhookId, id, status, record);
    for (const { webhookId, id, status, record, from } of changedDeliveries)
      set.run(status, record, orgId, webhookId, id, from);
  };
}

/** What the writer thread is asked for. A probe is written only to see whether the disk takes it. */
export type WriterJob = EncodedChange | ClaimJob | MoveJob | { probe: string };

/** What it says of each: the places the events of a change got and the claims that are held, or why nothing was written. */
export type Written =
  | { ok: true; position: number; seq: number; claims?: Claim[] }
  | { ok: false; reason: 'conflict' | 'no-thread' }
  | { ok: false; reason: 'repeated'; earlier: IdempotencyRecord };
