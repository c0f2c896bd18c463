import type { FreeObject } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  accepted,
  agent,
  ann,
  answer,
  ask,
  at,
  decideUpdate,
  fourOptions,
  hourMs,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';

const deadline = { at: at(now + hourMs), outcome: 'expire' } as const;
const full = () =>
  ask({
    title: 'Old',
    body: 'body',
    fields: [{ name: 'a', type: 'text' }],
    recommendations: { a: 'x' },
    submitLabel: 'Go',
    deadline,
    trace: { t: 1 },
    metadata: { m: 1 },
  });

const changedIn = ([event]: readonly { data: object }[]) => (event?.data as FreeObject | undefined)?.changed;

describe('updating', () => {
  test('[U1][AN10] only named properties change', () => {
    const state = full();
    const { interaction, events } = accepted(decideUpdate(state, { title: ' New ', metadata: {} }, now + 1));
    const { digest } = interaction;
    expect(interaction).toEqual({ ...state, title: 'New', metadata: {}, digest, version: 2, updatedAt: at(now + 1) });
    expect(events).toEqual([
      {
        type: 'interaction.updated',
        at: at(now + 1),
        actor: agent,
        interactionId: 'asked',
        data: { version: 2, changed: { title: 'New', metadata: {} } },
      },
    ]);
  });

  test('[U1] null removes a property, and the event says so', () => {
    const patch = { body: null, recommendations: null, submitLabel: null, deadline: null, trace: null, metadata: null };
    const { interaction, events } = accepted(decideUpdate(full(), patch));
    for (const name of Object.keys(patch)) expect(interaction).not.toHaveProperty(name);
    expect(changedIn(events)).toEqual(patch);
  });

  test('[U1] null for an absent property is valid', () => {
    const { interaction } = accepted(decideUpdate(ask({}), { body: null, deadline: null }));
    expect(interaction).toEqual({ ...ask({}), version: 2 });
  });

  test('[U1] the record and the event have the fields in their canonical form', () => {
    const { interaction, events } = accepted(
      decideUpdate(full(), { fields: [{ name: 'b', type: 'select', options: ['x'] }], recommendations: { b: 'x' } }),
    );
    const fields = [{ name: 'b', type: 'select', options: [{ value: 'x', label: 'x' }] }];
    expect(interaction.fields).toEqual(fields);
    expect(changedIn(events)).toEqual({ fields, recommendations: { b: 'x' } });
  });

  test('[U1][G5] an update cannot add an option of kind always without a grant', () => {
    const decision = { name: 'decision', type: 'select', options: fourOptions };
    expect(problemsIn(decideUpdate(ask({ kind: 'approval' }), { fields: [decision] }))).toEqual([
      ['/grant', 'required'],
    ]);
  });

  test('[U1][D1] a new deadline must be in the future', () => {
    expect(problemsIn(decideUpdate(full(), { deadline: { ...deadline, at: at(now) } }))).toEqual([
      ['/deadline/at', 'past'],
    ]);
  });

  test('[U2] an update of another version is refused, and nothing changes', () => {
    const state = full();
    for (const expectedVersion of [2, 7])
      expect(refused(decideUpdate(state, { expectedVersion, title: 'New' }))).toMatchObject({
        code: 'version-conflict',
        current: { status: 'pending', version: 1 },
      });
    const { interaction, events } = accepted(decideUpdate(state, { expectedVersion: 1, title: 'New' }));
    expect(interaction).not.toHaveProperty('expectedVersion');
    expect(changedIn(events)).toEqual({ title: 'New' });
  });

  test('[U3][U4] after a vote, neither the original nor the label of the button changes', () => {
    const original = { dialect: 'chat-requests', sent: { config: { a: 1 } } } as const;
    const resolution = { mode: 'quorum', count: 2 } as const;
    const { interaction } = answer(ask({ title: 'Old', original, resolution }), ann, { text: 'Yes' });
    const anew = { dialect: 'chat-requests', sent: { config: { a: 2 } } } as const;
    for (const patch of [{ original: anew }, { submitLabel: 'Delete' }, { submitLabel: null }])
      expect(refused(decideUpdate(interaction, patch)).code).toBe('interaction-has-votes');
    expect(accepted(decideUpdate(interaction, { original, trace: {} })).interaction.original).toEqual(original);
  });

  test('[U4] a new text removes the original, unless the update has a new original', () => {
    const original = { dialect: 'chat-requests', sent: { config: { a: 1 } } } as const;
    const state = ask({ title: 'Old', original });
    expect(state.original).toEqual(original);
    expect(accepted(decideUpdate(state, { trace: {} })).interaction.original).toEqual(original);
    expect(accepted(decideUpdate(state, { body: 'More' })).interaction).not.toHaveProperty('original');
    const anew = { dialect: 'chat-requests', sent: { config: {} } } as const;
    expect(accepted(decideUpdate(state, { body: 'More', original: anew })).interaction.original).toEqual(anew);
  });

  test.each([
    { title: 'New' },
    { body: null },
    { body: 'b' },
    { fields: [{ name: 'c', type: 'text' }] },
    { recommendations: {} },
  ])('[U3] after a vote, %o is refused', (patch) => {
    const state = answer(ask({ resolution: { mode: 'quorum', count: 2 } }), ann, { text: 'x' }).interaction;
    expect(refused(decideUpdate(state, patch))).toMatchObject({
      code: 'interaction-has-votes',
      current: { status: 'pending', version: 2 },
    });
  });

  test('[U3] after a vote, properties that are not shown may change', () => {
    const state = answer(ask({ resolution: { mode: 'quorum', count: 2 } }), ann, { text: 'x' }).interaction;
    const { interaction } = accepted(decideUpdate(state, { deadline, trace: { t: 2 }, metadata: { m: 2 } }));
    const { digest } = interaction;
    expect(interaction).toEqual({ ...state, deadline, trace: { t: 2 }, metadata: { m: 2 }, version: 3, digest });
  });
});
