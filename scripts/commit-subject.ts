/** The form of a commit subject: `area: imperative`, at most 72 characters. */
const form = /^[a-z0-9][\w./-]*(, [a-z0-9][\w./-]*)*: \S/;
const longest = 72;
/** Imperatives that end like another form of a verb. */
const imperatives = new Set(['alias', 'bring', 'embed', 'focus', 'shed', 'string']);
const otherForm = /(?:[^s]s|[^e]ed|[a-z]{2}ing)$/;
/** Subjects that git writes itself. */
const byGit = /^(Merge|Revert|fixup!|squash!|amend!) /;

/** Says what is wrong with a subject; undefined if nothing is. */
export function problemOfSubject(subject: string): string | undefined {
  if (byGit.test(subject)) return undefined;
  if (!form.test(subject)) return 'It starts with an area in lower case, then a colon: `http: refuse empty bodies`.';
  if (subject.length > longest) return `It has ${subject.length} characters; ${longest} fit.`;
  if (subject.endsWith('.')) return 'It ends without a full stop.';
  const [verb = ''] = subject.slice(subject.indexOf(': ') + 2).split(/[^\w-]/, 1);
  if (!imperatives.has(verb) && otherForm.test(verb))
    return `It begins with an imperative, as in an instruction: "add", not "${verb}".`;
  return undefined;
}
