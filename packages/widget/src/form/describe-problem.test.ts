import type { Field } from '@holdpoint/protocol';
import { answerLimits, type Problem, valuesValidator } from '@holdpoint/protocol/answers';
import { matchesPattern } from '@holdpoint/protocol/patterns';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAnswers, arbitraryFields } from '../../../protocol/test/arbitraries.ts';
import { english } from '../strings/en.ts';
import { loadStrings } from '../strings/languages.ts';
import { describeProblem } from './describe-problem.ts';

const languages = await Promise.all(['ar', 'de', 'es', 'fr', 'ja', 'zh'].map(loadStrings));
const german = await loadStrings('de');
const validate = valuesValidator(matchesPattern);

const problemsOf = (fields: readonly Field[], values: unknown): Problem[] => {
  const checked = validate(fields, values);
  return checked.ok ? [] : checked.problems;
};

/** Faults of programs only. A person does not choose the format of values. */
const ofPrograms = ['unknown-field', 'forbidden-key', 'not-json', 'too-deep'];

const options = ['red', 'green', 'blue', 'black', 'white', 'grey'].map((value) => ({ value, label: value }));
const file = { file_id: 'f', url: '/f', name: 'a.txt', mime: 'text/plain', size: 3 * 1024 * 1024 };
const one = (field: object, value: unknown) => {
  const fields = [{ name: 'it', label: 'Das Feld', ...field }] as Field[];
  return { fields, problems: problemsOf(fields, value === undefined ? {} : { it: value }) };
};

/** Every code of the validator, with a field and a value that cause it. */
const table: Record<string, [object, unknown, string]> = {
  required: [{ type: 'signature', required: true }, undefined, 'unterschreiben'],
  type: [{ type: 'number' }, 'x', 'eine Zahl'],
  integer: [{ type: 'number', integer: true }, 1.5, 'ganze Zahl'],
  min: [{ type: 'number', min: 18 }, 3, '18 oder mehr'],
  max: [{ type: 'date', max: '2030-12-31' }, '2031-01-01', '2030-12-31 oder früher'],
  step: [{ type: 'number', min: 1, step: 2 }, 2, 'Schritten von 2 ab 1'],
  'min-length': [{ type: 'text', minLength: 4 }, 'x', 'mindestens 4 Zeichen'],
  'max-length': [{ type: 'text', maxLength: 2 }, 'xxx', 'höchstens 2 Zeichen'],
  email: [{ type: 'email' }, 'x', 'name@example.com'],
  tel: [{ type: 'tel' }, 'x', '+1 555 010 0199'],
  url: [{ type: 'url' }, 'x', 'https://'],
  pattern: [{ type: 'text', pattern: '^[a-z]$' }, 'X', '^[a-z]$'],
  date: [{ type: 'date' }, 'x', '2030-01-31'],
  time: [{ type: 'time' }, 'x', '14:30'],
  datetime: [{ type: 'datetime' }, 'x', '2030-01-31T14:30:00Z'],
  rating: [{ type: 'rating' }, 9, 'von 1 bis 5'],
  option: [{ type: 'select', options }, 'pink', 'red, green, blue, black, white, …'],
  'min-selections': [{ type: 'multi_select', options, minSelections: 2 }, ['red'], 'mindestens 2'],
  'max-selections': [{ type: 'multi_select', options, maxSelections: 1 }, ['red', 'blue'], 'höchstens 1'],
  duplicate: [{ type: 'multi_select', options }, ['red', 'red'], 'nur einmal'],
  'max-files': [
    { type: 'file_upload', multiple: true },
    Array(answerLimits.filesPerField + 1).fill(file),
    'höchstens 20',
  ],
  accept: [{ type: 'file_upload', multiple: true, accept: ['.csv', 'image/*'] }, [file], '.csv, image/*'],
  'max-size': [{ type: 'file_upload', maxSizeMb: 2 }, file, 'höchstens 2 MB'],
};

describe('describeProblem', () => {
  it.each(Object.entries(table))(
    '[WI31] describes %s in German, with the rule of the field',
    (code, [field, value, words]) => {
      const { fields, problems } = one(field, value);
      expect(problems.map((problem) => problem.code)).toEqual([code]);
      const said = problems.map((problem) => describeProblem(problem, fields, german));
      expect(said).toEqual([expect.stringMatching(/^Das Feld: (Bitte|Die Eingabe) .*\.$/)]);
      expect(said[0]).toContain(words);
    },
  );

  it('[WI31] describes a missing value by the type of the field', () => {
    const said = (type: string) => {
      const { fields, problems } = one({ type, required: true, options }, undefined);
      return problems.map((problem) => describeProblem(problem, fields, german))[0];
    };
    expect(said('text')).toBe('Das Feld: Bitte füllen Sie dieses Feld aus.');
    expect(said('radio')).toBe('Das Feld: Bitte wählen Sie eine Option.');
    expect(said('confirm')).toBe('Das Feld: Bitte antworten Sie mit Ja oder Nein.');
    expect(said('rating')).toBe('Das Feld: Bitte geben Sie eine Bewertung von 1 bis 5 ab.');
    expect(said('image_upload')).toBe('Das Feld: Bitte fügen Sie eine Datei hinzu.');
  });

  it('[WI31] describes every problem of entered values in every language', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        for (const problem of problemsOf(fields, values)) {
          seen.add(problem.code);
          for (const strings of problem.code in table ? languages : []) {
            const said = describeProblem(problem, fields, strings);
            expect(said).not.toBe(problem.message);
            expect(said).not.toMatch(/undefined|NaN|\[object/);
          }
        }
      }),
      { numRuns: 1_000 },
    );
    const unknown = [...seen].filter((code) => !(code in table) && !ofPrograms.includes(code));
    expect(unknown, 'codes without a line in `sentences` of describe-problem.ts and in `table` above').toEqual([]);
    expect(seen.size).toBeGreaterThan(12);
  });

  it('[WI31] describes values that are too large together', () => {
    const fields = [{ type: 'text', name: 'a' }] as Field[];
    const [problem] = problemsOf(fields, { a: 'x'.repeat(answerLimits.valuesBytes) });
    expect(problem?.code).toBe('too-large');
    for (const strings of languages)
      expect(describeProblem(problem as Problem, fields, strings)).toBe(strings.problems?.tooMuch);
  });

  it('[WI32] keeps the text of the server if the language has none, and in English', () => {
    const { fields, problems } = one({ type: 'text', required: true }, undefined);
    const [problem] = problems as [Problem];
    expect(describeProblem(problem, fields, english)).toBe('Das Feld: fill this in.');
    expect(describeProblem({ ...problem, code: 'new-code' }, fields, german)).toBe(problem.message);
    expect(describeProblem({ ...problem, pointer: '/values/other' }, fields, german)).toBe(problem.message);
    expect(describeProblem({ ...problem, pointer: '' }, fields, german)).toBe(problem.message);
    expect(describeProblem({ ...problem, code: 'min' }, fields, german)).toBe(problem.message);
  });

  it('[WI32] never throws, and never shows a missing value, for any response of a server', () => {
    const codes = fc.oneof(fc.constantFrom(...Object.keys(table), 'toString', '__proto__'), fc.string());
    fc.assert(
      fc.property(arbitraryFields, codes, fc.string(), fc.nat(9), (fields, code, rest, index) => {
        const field = fields[index % fields.length] as Field;
        const pointer = `/values/${'name' in field ? field.name.replaceAll('/', '~1') : ''}${rest}`;
        for (const strings of languages)
          expect(describeProblem({ pointer, code, message: 'words' }, fields, strings)).not.toMatch(
            /undefined|NaN|\[object/,
          );
      }),
    );
  });
});
