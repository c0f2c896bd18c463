/** MCP tasks: a question as a task that a client polls. */
import { defined, HoldpointError, type Interaction } from '@holdpoint/protocol';
import {
  type CallToolResult,
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.ts';
import { showOutcome, waitProgress } from './asking.ts';
import { clientPowers, tasksExtension } from './form-channel.ts';

/** The suggested polling interval. */
const pollMs = 2_000;
const immediately = 'io.modelcontextprotocol/model-immediate-response';

/** A task also completes if nobody answered in time. The result says so. */
const taskStatusOf = ({ status }: Interaction) =>
  status === 'pending' ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed';

const shared = (interaction: Interaction) => ({
  taskId: interaction.id,
  status: taskStatusOf(interaction),
  ...defined({ statusMessage: interaction.status === 'pending' ? 'Waiting for a person to answer.' : undefined }),
  createdAt: interaction.createdAt,
  lastUpdatedAt: interaction.updatedAt,
});

/** The shape of 2025-11-25. Questions are never deleted. */
const legacyTask = (interaction: Interaction) => ({ ...shared(interaction), ttl: null, pollInterval: pollMs });

/** The shape of the extension. */
const extensionTask = (interaction: Interaction) => ({ ...shared(interaction), ttlMs: null, pollIntervalMs: pollMs });

/** The reply of a call that became a task. The SDK requires content, so the list is empty. */
export const startedLegacyTask = (interaction: Interaction): CallToolResult => ({
  content: [],
  task: legacyTask(interaction),
  _meta: { [immediately]: `Asked: ${interaction.title} The result of the task contains the answer.` },
});

export const startedExtensionTask = (interaction: Interaction): CallToolResult => ({
  content: [],
  resultType: 'task',
  ...extensionTask(interaction),
});

const params = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string', pattern: '^[!-~]{1,256}$' } },
  required: ['taskId'],
});

/** Limits one wait of `tasks/result`, because proxies close silent requests. The loop waits again. */
const eachWaitMs = 25_000;

export function offerTasks(server: Server, callerOf: (context: ServerContext) => McpCaller): void {
  const taskOf = (context: ServerContext, interactionId: string) =>
    withProtocolErrors(callerOf(context).service.getInteraction({ interactionId }));

  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    const isLegacy = isOfOldVersion(context);
    const interaction = await taskOf(context, taskId);
    if (isLegacy) return legacyTask(interaction);
    const isOver = interaction.status !== 'pending' && interaction.status !== 'cancelled';
    return { ...extensionTask(interaction), ...defined({ result: isOver ? showOutcome(interaction) : undefined }) };
  });

  // Only 2025-11-25 has this call. The SDK rejects it in the other version.
  server.setRequestHandler('tasks/result', { params }, async ({ taskId }, context) => {
    const { service, isStillAdmitted } = callerOf(context);
    const { signal } = context.mcpReq;
    const whileWaiting = waitProgress(context);
    let interaction = await taskOf(context, taskId);
    while (interaction.status === 'pending' && !signal.aborted) {
      const begun = performance.now();
      interaction = await whileWaiting(
        withProtocolErrors(service.waitForInteraction({ interactionId: taskId, timeoutMs: eachWaitMs, signal })),
      );
      // A wait that ends early means that the server stops.
      if (interaction.status === 'pending' && performance.now() - begun < eachWaitMs / 2)
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server is stopping. Ask again.');
      if (!(await isStillAdmitted()))
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'A valid API key or token is required.');
    }
    return { ...showOutcome(interaction), _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
  });

  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    const isLegacy = isOfOldVersion(context);
    const { service } = callerOf(context);
    const interaction = await taskOf(context, taskId);
    const isOver = interaction.status !== 'pending';
    if (isOver && isLegacy)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot cancel a task that is ${taskStatusOf(interaction)}.`,
      );
    const cancelled = isOver ? interaction : await cancel(service, interaction);
    return isLegacy ? legacyTask(cancelled) : {};
  });

  // Only the extension has this call. Our tasks request nothing from a client, so there is nothing to update.
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, context) => {
    if (isOfOldVersion(context)) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    await taskOf(context, taskId);
    return {};
  });
}

/** A late cancellation leaves the question unchanged. */
async function cancel(service: McpCaller['service'], { id: interactionId }: Interaction): Promise<Interaction> {
  try {
    return await service.cancelInteraction({ interactionId });
  } catch (error) {
    const latest = await withProtocolErrors(service.getInteraction({ interactionId }));
    if (latest.status === 'pending') throw asProtocolError(error);
    return latest;
  }
}

/** In 2026-07-28 only clients with the extension have tasks. */
function isOfOldVersion(context: ServerContext): boolean {
  if (context.mcpReq.envelope === undefined) return true;
  if (clientPowers(context).tasks) return false;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

async function withProtocolErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asProtocolError(error);
  }
}

function asProtocolError(error: unknown): unknown {
  if (!(error instanceof HoldpointError)) return error;
  const isUnknown = error.code === 'interaction-not-found';
  const code = isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, isUnknown ? 'There is no such task.' : error.fault.detail, { code: error.code });
}
