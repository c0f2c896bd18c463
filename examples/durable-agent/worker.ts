/** Runs the agent. Any number of these may run, on any machine; each may die at any time. */
import { runAgents } from '@holdpoint/agents';
import { Holdpoint } from '@holdpoint/client';
import travel from './travel.ts';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const worker = runAgents({ service: new Holdpoint({ url, key }), agents: [travel] });
process.once('SIGTERM', () => worker.stop());
