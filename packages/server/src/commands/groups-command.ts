/** holdpoint groups: manages groups and their members. */
import { defined, type Person } from '@holdpoint/protocol';
import { type Action, runAction } from './actions.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions } from './connection.ts';
import { everyItem } from './every-item.ts';
import { findPerson } from './find-person.ts';
import { type FlagValues, readFlags } from './read-flags.ts';
import { jsonOf, oneLine } from './terminal-text.ts';

const help = `holdpoint groups [list]                list groups
holdpoint groups create GROUP          create a group; requests name it as the assignee group:GROUP
holdpoint groups delete GROUP          remove the members of a group, then the group
holdpoint groups add GROUP PERSON      add a person
holdpoint groups remove GROUP PERSON   remove a person

GROUP is the id of a group, PERSON the id or email of a person. "holdpoint people --group GROUP" lists the members.

  --name NAME               name of a new group; the default is its id
  --json                    JSON output; list prints one group per line

All of these commands need an admin key.

${connectionHelp}
`;

const options = { ...connectionOptions, name: { type: 'string' }, json: { type: 'boolean' } } as const;

type Flags = FlagValues<typeof options>;

export const groupsCommand: Command = {
  help,
  async run(args, shell) {
    const { values: flags, positionals: words } = readFlags(args, options);
    return runAction({ name: 'groups', actions, flags, words, shell });
  },
};

const actions: Readonly<Record<string, Action<Flags>>> = {
  list: {
    takes: [],
    async run(service, _words, { json }, shell) {
      for await (const group of everyItem((from) => service.listGroups(from)))
        print(shell, json, group, `${group.id}  ${oneLine(group.name)}`);
    },
  },
  create: {
    takes: ['GROUP'],
    async run(service, [id = ''], { name, json }, shell) {
      const group = await service.createGroup({ id, ...defined({ name }) });
      print(shell, json, group, `${group.id} created`);
    },
  },
  delete: {
    takes: ['GROUP'],
    async run(service, [groupId = ''], { json }, shell) {
      await service.deleteGroup({ groupId });
      print(shell, json, {}, `${oneLine(groupId)} deleted`);
    },
  },
  add: {
    takes: ['GROUP', 'PERSON'],
    async run(service, [groupId = '', named = ''], { json }, shell) {
      const { id: personId } = await findPerson(service, named);
      printMember(shell, json, await service.addGroupMember({ groupId, personId }));
    },
  },
  remove: {
    takes: ['GROUP', 'PERSON'],
    async run(service, [groupId = '', named = ''], { json }, shell) {
      const { id: personId } = await findPerson(service, named);
      printMember(shell, json, await service.removeGroupMember({ groupId, personId }));
    },
  },
};

const print = ({ stdout }: Shell, json: boolean | undefined, value: object, line: string): void =>
  void stdout.write(`${json ? jsonOf(value) : line}\n`);

function printMember(shell: Shell, json: boolean | undefined, person: Person): void {
  const { name, groups } = person;
  print(shell, json, person, `${oneLine(name)} is in ${groups.length === 0 ? 'no group' : groups.join(', ')}`);
}
