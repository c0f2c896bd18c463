/** holdpoint open: prints a link with which a person signs in, once. */
import { defined } from '@holdpoint/protocol';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { findPerson } from './find-person.ts';
import { atMost, readFlags } from './read-flags.ts';
import { jsonOf } from './terminal-text.ts';

const help = `holdpoint open                    print a link that signs you in to the console, once
holdpoint open --as ada@acme.com  the same for another person

  --as EMAIL                person to sign in; needed if several people are admins
  --json                    JSON output

Needs an admin key. The first link of an org makes its user the first admin.

${connectionHelp}
`;

const options = { ...connectionOptions, as: { type: 'string' }, json: { type: 'boolean' } } as const;

export const openCommand: Command = { help, run: open };

async function open(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(0, positionals);
  const { service, url } = readConnection(flags, shell);
  try {
    const personId = flags.as === undefined ? undefined : (await findPerson(service, flags.as)).id;
    const link = await service.createSignInLink(defined({ personId }));
    shell.stdout.write(`${flags.json ? jsonOf(link) : link.url}\n`);
    if (!flags.json) shell.stderr.write('The link works once, for an hour. It signs in whoever opens it.\n');
    return 0;
  } catch (error) {
    throw failure(error, url);
  }
}
