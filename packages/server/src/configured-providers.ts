/** Reads the identity providers of HOLDPOINT_OIDC or --oidc-file. No message repeats a value, which may be a secret. */
import { readFileSync } from 'node:fs';
import {
  type CreateIdentityProvider,
  CreateIdentityProviderSchema,
  checkShape,
  limits,
  type Problem,
} from '@holdpoint/protocol';
import { checkProvider } from './domain/people/identity-provider.ts';
import { checkName } from './domain/people/update-person.ts';
import { ConfigError, type Env } from './start-flags.ts';

export function configuredProviders(file: string | undefined, env: Env): CreateIdentityProvider[] | undefined {
  const { HOLDPOINT_OIDC: text } = env;
  if (file !== undefined && text) throw new ConfigError('use either --oidc-file or HOLDPOINT_OIDC');
  if (file !== undefined) return readProviders(`--oidc-file ${file}`, readText(file));
  return text ? readProviders('HOLDPOINT_OIDC', text) : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`--oidc-file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function readProviders(source: string, text: string): CreateIdentityProvider[] {
  const given = parsed(source, text);
  if (!Array.isArray(given)) throw new ConfigError(`${source} must be a JSON array of identity providers`);
  if (given.length > limits.identityProviders)
    throw new ConfigError(`${source} has more than ${limits.identityProviders} identity providers`);
  const problems = given.flatMap((each, index) =>
    problemsOf(each).map(({ pointer, message }) => `/${index}${pointer}: ${message}`),
  );
  if (problems.length > 0) throw new ConfigError(`${source} is not valid. ${problems.slice(0, 5).join(' ')}`);
  const providers = given as CreateIdentityProvider[];
  const twice = providers.find(({ id }, index) => providers.findIndex((other) => other.id === id) < index);
  if (twice) throw new ConfigError(`${source} has two identity providers with the id ${twice.id}`);
  return providers;
}

function parsed(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text.
    throw new ConfigError(`${source} is not valid JSON`);
  }
}

function problemsOf(given: unknown): Problem[] {
  const problems = checkShape(CreateIdentityProviderSchema, given);
  if (problems.length > 0) return problems;
  const provider = given as CreateIdentityProvider;
  return [...checkName(provider.name), ...checkProvider(provider)];
}
