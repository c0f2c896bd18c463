/** What Redocly and Spectral find in openapi.json, by their recommended rules, as lines of JSON. */
import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const found = [];
const config = await createConfig({ extends: ['recommended'] });
for (const { severity, ruleId, message, location } of await lint({ ref: 'openapi.json', config }))
  found.push({ by: 'redocly', severity, rule: ruleId, message, at: location[0]?.pointer });

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const severities = ['error', 'warn', 'info', 'hint'];
for (const { severity, code, message, path } of await linter.run(readFileSync('openapi.json', 'utf8')))
  found.push({ by: 'spectral', severity: severities[severity], rule: code, message, at: path.join('/') });

process.stdout.write(found.map((problem) => `${JSON.stringify(problem)}\n`).join(''));
