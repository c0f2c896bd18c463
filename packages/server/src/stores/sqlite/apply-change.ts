/** Writes one change inside the open transaction. Every check runs before the first write, so a refused change has written nothing. */
import type { DatabaseSync } from 'node:sqlite';
import type { EncodedChange, EncodedDocument } from '../sql/encode-change.ts';
import { readIdempotency } from '../sql/read-idempotency.ts';
import type { Claim, Committed } from '../store.ts';
import type { ClaimJob, MoveJob } from './claim-timers.ts';

export function changeApplier(db: DatabaseSync): (change: EncodedChange) => Written {
  const prepare = (sql: string) => db.prepare(sql);
  const insert = (table: string, columns: string) =>
    prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, '?')})`);

  const findIdempotency = prepare(
    'SELECT fingerprint, resource_type, resource_id FROM idempotency WHERE org_id = ? AND key = ?',
  );
  const addIdempotency = insert('idempotency', 'org_id, key, fingerprint, resource_type, resource_id');

  const findOrg = prepare('SELECT 1 FROM orgs WHERE id = ?');
  const addOrg = insert('orgs', 'id, created_at');

  const findApiKey = prepare('SELECT record FROM api_keys WHERE hash = ?');
  const addApiKey = insert('api_keys', 'hash, org_id, id, record');
  const setApiKey = prepare('UPDATE api_keys SET record = ? WHERE hash = ?');

  const findThread = prepare('SELECT version FROM threads WHERE org_id = ? AND id = ?');
  const addThread = insert('threads', 'org_id, id, record');
  const setThread = prepare('UPDATE threads SET version = ?, record = ? WHERE org_id = ? AND id = ?');

  const addMessage = insert('messages', 'org_id, id, thread_id, record');
  const setMessage = prepare('UPDATE messages SET record = ? WHERE org_id = ? AND id = ?');

  const findInteraction = prepare('SELECT 1 FROM interactions WHERE org_id = ? AND id = ?');
  const ofInteraction = 'org_id, id, thread_id, run_id, kind, status, version, is_declined, wait_ms, record';
  const addInteraction = insert('interactions', ofInteraction);
  const setInteraction = prepare(
    `UPDATE interactions SET status = ?, version = ?, is_declined = ?, wait_ms = ?, record = ?
     WHERE org_id = ? AND id = ? AND version = ?`,
  );
  const assign = prepare('INSERT OR IGNORE INTO assigned (org_id, responder_id, id) VALUES (?, ?, ?)');
  const unassign = prepare('DELETE FROM assigned WHERE org_id = ? AND responder_id = ? AND id = ?');

  const findRun = prepare('SELECT version FROM runs WHERE org_id = ? AND id = ?');
  const findOpenRun = prepare(
    `SELECT id FROM runs WHERE org_id = ? AND thread_id = ? AND status IN ('running', 'waiting')`,
  );
  const addRun = insert('runs', 'org_id, id, thread_id, agent, status, version, record');
  const setRun = prepare('UPDATE runs SET status = ?, version = ?, record = ? WHERE org_id = ? AND id = ?');
  const addEntry = insert('journal', 'org_id, run_id, idx, record');

  const findOpenGrant = prepare('SELECT 1 FROM grants WHERE org_id = ? AND id = ? AND is_open = 1');
  const addGrant = insert('grants', 'org_id, id, key, reach, expires_at, is_open, record');
  const closeGrant = prepare('UPDATE grants SET is_open = 0, record = ? WHERE org_id = ? AND id = ?');

  const findSecrets = prepare('SELECT 1 FROM secrets WHERE org_id = ? AND interaction_id = ?');
  const addSecrets = insert('secrets', 'org_id, interaction_id, vals');
  const dropSecrets = prepare('DELETE FROM secrets WHERE org_id = ? AND interaction_id = ?');

  const findDocument = prepare('SELECT revision FROM documents WHERE org_id = ? AND type = ? AND id = ?');
  const findNamesake = prepare('SELECT id FROM documents WHERE org_id = ? AND type = ? AND alias = ?');
  const setDocument = prepare(
    `INSERT INTO documents (org_id, type, id, revision, alias, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, type, id)
     DO UPDATE SET revision = excluded.revision, alias = excluded.alias, record = excluded.record`,
  );
  const dropDocument = prepare('DELETE FROM documents WHERE org_id = ? AND type = ? AND id = ?');

  const setTimer = prepare(
    `INSERT INTO timers (org_id, kind, id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, kind, id) DO UPDATE SET due_at = excluded.due_at, claimed_from = NULL`,
  );
  const dropTimer = prepare('DELETE FROM timers WHERE org_id = ? AND kind = ? AND id = ?');

  const addDelivery = insert('deliveries', 'org_id, webhook_id, id, status, record');
  const setDelivery = prepare(
    'UPDATE deliveries SET status = ?, record = ? WHERE org_id = ? AND webhook_id = ? AND id = ? AND status = ?',
  );

  const lastSeq = prepare('SELECT max(seq) AS seq FROM events WHERE org_id = ? AND thread_id = ?');
  const addEvent = insert('events', 'org_id, thread_id, seq, type, at, actor, interaction_id, data');

  return (change) => {
    const { orgId, log } = change;
    // 0 if the thread has no event yet, and so is new or missing.
    const seq = log ? Number(lastSeq.get(orgId, log.threadId)?.seq ?? 0) : 0;
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
      isRunOvertaken(change) ||
      change.documents?.some((document) => isDocumentOvertaken(orgId, document));
    if (isTaken) return { ok: false, reason: 'conflict' };
    if (log && log.threadId !== newThread?.id && seq === 0 && !findThread.get(orgId, log.threadId))
      return { ok: false, reason: 'no-thread' };
    return undefined;
  }

  /** Reports whether the run has another version than expected, or its thread has another open run. */
  function isRunOvertaken({ orgId, run }: EncodedChange): boolean {
    if (!run) return false;
    if ((findRun.get(orgId, run.id)?.version ?? 0) !== run.expectedVersion) return true;
    const isOpen = run.status === 'running' || run.status === 'waiting';
    const open = isOpen ? findOpenRun.get(orgId, run.threadId) : undefined;
    return open !== undefined && open.id !== run.id;
  }

  /** Reports whether the document has another revision than expected, or another document has its alias. */
  function isDocumentOvertaken(orgId: string, { type, id, alias, expected }: EncodedDocument): boolean {
    if ((findDocument.get(orgId, type, id)?.revision ?? null) !== expected) return true;
    const namesake = alias === null ? undefined : findNamesake.get(orgId, type, alias);
    return namesake !== undefined && namesake.id !== id;
  }

  function write(change: EncodedChange, seq: number): Written {
    const { orgId, newOrg, newThread, changedThread, newMessage, changedMessage, interaction, run } = change;
    const { newGrant, closedGrant, newSecrets, takenSecrets, newApiKey, changedApiKey, idempotency } = change;
    if (interaction) {
      const { id, threadId, runId, kind, status, version, expectedVersion, isDeclined, waitMs, record } = interaction;
      const now = [status, version, isDeclined, waitMs, record];
      if (expectedVersion === 0) addInteraction.run(orgId, id, threadId, runId, kind, ...now);
      // The last check is the first write: with another version, nothing is written.
      else if (setInteraction.run(...now, orgId, id, expectedVersion).changes === 0)
        return { ok: false, reason: 'conflict' };
      const note = status === 'pending' ? assign : unassign;
      for (const responderId of interaction.assignees ?? []) note.run(orgId, responderId, id);
      for (const responderId of interaction.unassigned) unassign.run(orgId, responderId, id);
    }
    if (newOrg) addOrg.run(newOrg.id, newOrg.createdAt);
    if (newThread) addThread.run(orgId, newThread.id, newThread.record);
    if (changedThread) setThread.run(changedThread.version, changedThread.record, orgId, changedThread.id);
    if (newMessage) addMessage.run(orgId, newMessage.id, newMessage.threadId, newMessage.record);
    if (changedMessage) setMessage.run(changedMessage.record, orgId, changedMessage.id);
    if (newGrant) {
      const { id, key, reach, expiresAt, record } = newGrant;
      addGrant.run(orgId, id, key, reach, expiresAt, 1, record);
    }
    if (closedGrant) closeGrant.run(closedGrant.record, orgId, closedGrant.id);
    if (newSecrets) addSecrets.run(orgId, newSecrets.interactionId, newSecrets.vals);
    if (takenSecrets) dropSecrets.run(orgId, takenSecrets.interactionId);
    if (newApiKey) addApiKey.run(newApiKey.hash, newApiKey.orgId, newApiKey.id, newApiKey.record);
    if (changedApiKey) setApiKey.run(changedApiKey.record, changedApiKey.hash);
    if (run) {
      const { id, threadId, agent, status, version, expectedVersion, record } = run;
      if (expectedVersion === 0) addRun.run(orgId, id, threadId, agent, status, version, record);
      else setRun.run(status, version, record, orgId, id);
      for (const entry of change.newEntries ?? []) addEntry.run(orgId, id, entry.index, entry.record);
    }
    for (const { type, id, revision, alias, record } of change.documents ?? [])
      if (record === null) dropDocument.run(orgId, type, id);
      else setDocument.run(orgId, type, id, revision, alias, record);
    for (const { kind, id, dueAt } of change.timers ?? [])
      if (dueAt === null) dropTimer.run(orgId, kind, id);
      else setTimer.run(orgId, kind, id, dueAt);
    for (const { webhookId, id, status, record } of change.newDeliveries ?? [])
      addDelivery.run(orgId, webhookId, id, status, record);
    for (const { webhookId, id, status, record, fromStatus } of change.changedDeliveries ?? [])
      setDelivery.run(status, record, orgId, webhookId, id, fromStatus);
    if (idempotency) {
      const { key, fingerprint, resource } = idempotency;
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

/** A job of the writer thread. A probe is written only to find out whether the disk accepts it. */
export type WriterJob = EncodedChange | ClaimJob | MoveJob | { probe: string };

/** The result of a job: the place of the first event of a change and the claims that are held, or why nothing was written. */
export type Written = { ok: true; position: number; seq: number; claims?: Claim[] } | Extract<Committed, { ok: false }>;
