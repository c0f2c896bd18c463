/** A question as a task: all that a task is stands in the record of its question, so any node can tell it. */

import type { Interaction } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { type CallToolResult, RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { tellOutcome } from './tell-outcome.ts';

type TaskStatus = 'working' | 'completed' | 'cancelled';

/** How often to look, for who cannot wait. */
const pollMs = 2_000;
const immediately = 'io.modelcontextprotocol/model-immediate-response';

/** It has come to its end also where nobody answered in time: that is what the result says. */
export const taskStatusOf = ({ status }: Interaction): TaskStatus =>
  status === 'pending' ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed';

const shared = (interaction: Interaction) => ({
  taskId: interaction.id,
  status: taskStatusOf(interaction),
  ...defined({ statusMessage: interaction.status === 'pending' ? 'Waiting for a person to answer.' : undefined }),
  createdAt: interaction.createdAt,
  lastUpdatedAt: interaction.updatedAt,
});

/** As 2025-11-25 has it. A question is never thrown away. */
export const legacyTask = (interaction: Interaction) => ({ ...shared(interaction), ttl: null, pollInterval: pollMs });

/** As the extension has it. */
export const extensionTask = (interaction: Interaction) => ({
  ...shared(interaction),
  ttlMs: null,
  pollIntervalMs: pollMs,
});

/** What a call returns in place of its result. The SDK demands content of whatever a tool returns; there is none yet. */
export const startedLegacyTask = (interaction: Interaction): CallToolResult => ({
  content: [],
  task: legacyTask(interaction),
  _meta: { [immediately]: `Asked: ${interaction.title} Somebody will answer; the result of the task says what.` },
});

export const startedExtensionTask = (interaction: Interaction): CallToolResult => ({
  content: [],
  resultType: 'task',
  ...extensionTask(interaction),
});

export const legacyTaskResult = (interaction: Interaction): CallToolResult => ({
  ...tellOutcome(interaction),
  _meta: { [RELATED_TASK_META_KEY]: { taskId: interaction.id } },
});
