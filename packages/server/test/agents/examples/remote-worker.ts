/** A worker in a process of its own: `node remote-worker.ts URL KEY AGENT-FILE`. */
import { runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';

const [url = '', key = '', file = ''] = process.argv.slice(2);
const { default: agent } = await import(file);
const worker = runAgents({ service: httpService({ url, key }), agents: [agent] });
process.once('SIGTERM', () => worker.stop());
process.stdout.write('working\n');
