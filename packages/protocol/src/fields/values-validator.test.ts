import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Field } from './field.ts';
import { valuesValidator } from './values-validator.ts';

/** Every module loaded at run time from this one on; type-only imports are erased. */
function loaded(url: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(url.href)) return seen;
  seen.add(url.href);
  for (const [, kind, from] of readFileSync(url, 'utf8').matchAll(
    /^(import|export)\b(?! type)[^;]*?from '([^']+)'/gms,
  )) {
    if (kind && from) from.startsWith('.') ? loaded(new URL(from, url), seen) : seen.add(from);
  }
  return seen;
}

describe('valuesValidator', () => {
  it('[F19] loads neither a schema library nor a pattern engine', () => {
    const modules = [...loaded(new URL('./values-validator.ts', import.meta.url))];
    expect(modules.length).toBeGreaterThan(8);
    expect(modules.filter((name) => !name.startsWith('file:'))).toEqual([]);
  });

  it('[F19] with its pattern engine loads re2js and nothing else', () => {
    const modules = [...loaded(new URL('./validate-values.ts', import.meta.url))];
    expect(modules.filter((name) => !name.startsWith('file:'))).toEqual(['re2js']);
  });

  it('[F19] matches with the engine it was given', () => {
    const asked: string[] = [];
    const validate = valuesValidator((pattern, text) => {
      asked.push(`${pattern} ${text}`);
      return false;
    });
    const fields: Field[] = [{ name: 'a', type: 'text', pattern: 'p' }];
    expect(validate(fields, { a: 'x' })).toMatchObject({ ok: false, problems: [{ code: 'pattern' }] });
    expect(asked).toEqual(['p x']);
  });
});
