/** All commands with a one-line summary. Only the called command is loaded. */
import type { Command } from './command.ts';

interface CommandEntry {
  summary: string;
  load(): Promise<Command>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'run the server and its console',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  open: {
    summary: 'print a link that signs you in to the console',
    load: async () => (await import('./open-command.ts')).openCommand,
  },
  ask: {
    summary: 'send a request to people, wait, and print the answer as JSON',
    load: async () => (await import('./ask/ask-command.ts')).askCommand,
  },
  answer: {
    summary: 'list pending requests and answer them',
    load: async () => (await import('./answer/answer-command.ts')).answerCommand,
  },
  tail: {
    summary: 'print events as they happen',
    load: async () => (await import('./tail-command.ts')).tailCommand,
  },
  keys: {
    summary: 'list, create and revoke API keys',
    load: async () => (await import('./keys-command.ts')).keysCommand,
  },
  people: {
    summary: 'list, invite and deactivate people, and end their sessions',
    load: async () => (await import('./people-command.ts')).peopleCommand,
  },
  groups: {
    summary: 'list, create and delete groups, and change their members',
    load: async () => (await import('./groups-command.ts')).groupsCommand,
  },
  'admin-log': {
    summary: 'print who changed people, rights and settings',
    load: async () => (await import('./admin-log-command.ts')).adminLogCommand,
  },
  doctor: {
    summary: 'check the configuration, server, data and clock',
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  mcp: {
    summary: 'connect an MCP client to a server',
    load: async () => (await import('./mcp-command.ts')).mcpCommand,
  },
};

/** Commands that only the server calls. */
export const hiddenCommands: Readonly<Record<string, Pick<CommandEntry, 'load'>>> = {
  'demo-agent': { load: async () => (await import('../demo/demo-agent.ts')).demoAgentCommand },
};

const overviewOf = ([name, { summary }]: [string, CommandEntry]) => `  ${name.padEnd(9)} ${summary}`;

export const overview = `holdpoint COMMAND [flags]

${Object.entries(commands).map(overviewOf).join('\n')}

  holdpoint serve
  holdpoint ask "Deploy 2.4.0?" --choice staging --choice production
  holdpoint answer

holdpoint COMMAND --help lists the flags of a command.
`;
