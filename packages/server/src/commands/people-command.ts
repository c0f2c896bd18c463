/** holdpoint people: invites, lists and changes people. An invitation is printed once, on standard output. */
import { defined, type Person, type PersonRole } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import { type Action, runAction } from './actions.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions } from './connection.ts';
import { everyItem } from './every-item.ts';
import { findPerson } from './find-person.ts';
import { type FlagValues, readFlags } from './read-flags.ts';
import { jsonOf, oneLine, paintFor } from './terminal-text.ts';

const help = `holdpoint people [list]                     list people
holdpoint people invite EMAIL --name NAME   invite a person and print the link, once
holdpoint people show PERSON                print one person as JSON
holdpoint people role PERSON ROLE…          replace the roles of a person
holdpoint people deactivate PERSON          end all sessions, and remove the person from pending requests
holdpoint people reactivate PERSON          let a deactivated person sign in again
holdpoint people sessions PERSON            list the open sessions of a person
holdpoint people end-session PERSON ID      end one of them

PERSON is an id or an email.

  --name NAME               name of an invited person; the default is the email
  --role ROLE               role of an invited person: member (the default), admin or auditor; may be repeated.
                            member: sees and answers requests. admin: manages the org. auditor: reads everything
  --group GROUP             list: only members of this group. invite: add the person to it; may be repeated
  --status STATUS           list: only people who are invited, active or deactivated
  --search TEXT             list: only people with this text in their name or email
  --json                    JSON output; list and sessions print one per line

All of these commands need an admin key.

${connectionHelp}
`;

const options = {
  ...connectionOptions,
  name: { type: 'string' },
  role: { type: 'string', multiple: true },
  group: { type: 'string', multiple: true },
  status: { type: 'string' },
  search: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Flags = FlagValues<typeof options>;

export const peopleCommand: Command = {
  help,
  async run(args, shell) {
    const { values: flags, positionals: words } = readFlags(args, options);
    return runAction({ name: 'people', actions, flags, words, shell });
  },
};

const roles: readonly string[] = ['admin', 'member', 'auditor'] satisfies PersonRole[];
const statuses: readonly string[] = ['invited', 'active', 'deactivated'] satisfies Person['status'][];

function asRoles(names: readonly string[]): PersonRole[] {
  if (!names.every((name) => roles.includes(name))) throw new ConfigError('a role is admin, member or auditor');
  return names as PersonRole[];
}

const actions: Readonly<Record<string, Action<Flags>>> = {
  list: {
    takes: [],
    check({ status, group = [] }) {
      if (status !== undefined && !statuses.includes(status))
        throw new ConfigError('--status is invited, active or deactivated');
      if (group.length > 1) throw new ConfigError('list takes one --group');
    },
    async run(service, _words, { status, group, search, json }, shell) {
      const filter = defined({ status: status as Person['status'] | undefined, group: group?.[0], search });
      const paint = paintFor(shell.stdout, shell);
      for await (const person of everyItem((from) => service.listPeople({ ...filter, ...from })))
        print(
          shell,
          json ? jsonOf(person) : person.status === 'deactivated' ? paint.dim(lineOf(person)) : lineOf(person),
        );
    },
  },
  invite: {
    takes: ['EMAIL'],
    check: ({ role = [] }) => void asRoles(role),
    async run(service, [email = ''], { name = email, role, group, json }, shell) {
      const given = { email, name, ...defined({ roles: role && asRoles(role), groups: group }) };
      const invited = await service.createPerson(given);
      const { id, invitation } = invited;
      print(shell, json ? jsonOf(invited) : (invitation?.url ?? id));
      if (json) return;
      const until = invitation ? `; the link works once, until ${invitation.expiresAt}` : '';
      shell.stderr.write(`${oneLine(invited.name)} is invited, as ${id}${until}\n`);
    },
  },
  show: {
    takes: ['PERSON'],
    run: async (service, [named = ''], _flags, shell) => print(shell, jsonOf(await findPerson(service, named), 2)),
  },
  role: {
    takes: ['PERSON', 'ROLE…'],
    async run(service, [named = '', ...names], { json }, shell) {
      const wanted = asRoles(names);
      const { id } = await findPerson(service, named);
      const person = await service.updatePerson({ personId: id, roles: wanted });
      print(shell, json ? jsonOf(person) : `${oneLine(person.name)} is ${person.roles.join(', ')}`);
    },
  },
  deactivate: { takes: ['PERSON'], run: setStatus('deactivated') },
  reactivate: { takes: ['PERSON'], run: setStatus('active') },
  sessions: {
    takes: ['PERSON'],
    async run(service, [named = ''], { json }, shell) {
      const { id: personId } = await findPerson(service, named);
      for await (const session of everyItem((from) => service.listPersonSessions({ personId, ...from }))) {
        const { id, via, device, createdAt, lastUsedAt } = session;
        const line = `${id}  ${via.padEnd(7)}  since ${minute(createdAt)}  used ${minute(lastUsedAt)}  ${oneLine(device)}`;
        print(shell, json ? jsonOf(session) : line);
      }
    },
  },
  'end-session': {
    takes: ['PERSON', 'ID'],
    async run(service, [named = '', sessionId = ''], { json }, shell) {
      const { id: personId } = await findPerson(service, named);
      await service.endPersonSession({ personId, sessionId });
      print(shell, json ? jsonOf({}) : `session ${oneLine(sessionId)} ended`);
    },
  },
};

function setStatus(status: 'active' | 'deactivated'): Action<Flags>['run'] {
  return async (service, [named = ''], { json }, shell) => {
    const { id } = await findPerson(service, named);
    const person = await service.updatePerson({ personId: id, status });
    print(shell, json ? jsonOf(person) : `${oneLine(person.name)} is ${person.status}`);
  };
}

const print = ({ stdout }: Shell, line: string): void => void stdout.write(`${line}\n`);

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

function lineOf({ id, name, email, status, roles: own, groups }: Person): string {
  const parts = [id, status.padEnd(11), own.join(',').padEnd(13), oneLine(name), ...(email ? [oneLine(email)] : [])];
  return [...parts, ...(groups.length > 0 ? [`in ${groups.join(', ')}`] : [])].join('  ');
}
