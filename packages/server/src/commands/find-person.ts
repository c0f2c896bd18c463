import type { HoldpointService, Person } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import { everyItem } from './every-item.ts';

/** Finds a person by id or email. */
export async function findPerson(service: HoldpointService, named: string): Promise<Person> {
  if (!named.includes('@')) return service.getPerson({ personId: named });
  for await (const person of everyItem((from) => service.listPeople({ search: named, ...from })))
    if (person.email?.toLowerCase() === named.toLowerCase()) return person;
  throw new ConfigError(`nobody here has the email ${named}`);
}
