/** Makes the text whose hash is the digest of an answer, in each version of the digest. */

import { canonicalJson } from './canonical-json.ts';
import type { Interaction } from './interaction.ts';
import type { Question } from './question.ts';

/** One version of the digest. The prefix of a digest names the scheme that made it. */
export interface DigestScheme {
  prefix: string;
  textOf(bound: Bound): string;
}

type Bound = Question &
  Pick<Interaction, 'responder' | 'resolution' | 'deadline' | 'escalations' | 'grant' | 'assurance'>;

/** Verifies digests that were stored before the policy was part of them. New digests never use it. */
const first: DigestScheme = {
  prefix: 'sha-256:',
  textOf: (question) => canonicalJson(shown(question)),
};

/**
 * Covers everything a person is shown, and the policy: who may answer, how many, with which assurance, and what a
 * deadline or a grant decides.
 */
export const currentScheme: DigestScheme = {
  prefix: 'v2:sha-256:',
  textOf: (bound) => canonicalJson({ ...shown(bound), ...policy(bound) }),
};

export const schemeOf = (digest: string | undefined): DigestScheme =>
  digest?.startsWith(first.prefix) ? first : currentScheme;

/** Defaults, options and conditions are in the fields. */
function shown(question: Question) {
  const { kind, title, body, content, fields, payloadSchema, recommendations, submitLabel } = question;
  const words = { kind, title, body, content, fields, payloadSchema, recommendations, submitLabel };
  return { ...words, arguments: question.arguments };
}

/** Leaves out reminders, because they decide nothing. */
function policy({ responder, resolution, deadline, escalations = [], grant, assurance }: Bound) {
  const { type, assignees, notRequester } = responder;
  // Escalations add their assignees when they are due. The digest has them from the start, so that it does not change then.
  const everybody = assignees && [...assignees, ...escalations.flatMap((each) => each.assignees)];
  return {
    // Canonical JSON leaves out what is undefined, so questions without the option keep their digest.
    responder: {
      ...{ type, assignees: everybody && [...new Set(everybody)].sort() },
      notRequester: notRequester || undefined,
    },
    resolution,
    deadline: deadline && { at: deadline.at, outcome: deadline.outcome },
    grant,
    // Absent in most questions, so that digests from before it existed stay the same.
    assurance,
  };
}
