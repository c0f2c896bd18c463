/** The flags of `holdpoint ask`, and its help. */
import { connectionHelp, connectionOptions } from '../connection.ts';

export const askOptions = {
  ...connectionOptions,
  choice: { type: 'string', multiple: true },
  many: { type: 'boolean' },
  approve: { type: 'boolean' },
  argument: { type: 'string', multiple: true },
  text: { type: 'boolean' },
  field: { type: 'string', multiple: true },
  form: { type: 'string' },
  body: { type: 'string' },
  thread: { type: 'string' },
  assignee: { type: 'string', multiple: true },
  deadline: { type: 'string' },
  timeout: { type: 'string' },
  'cancel-on-timeout': { type: 'boolean' },
  'count-deadline-as-approval': { type: 'boolean' },
  'idempotency-key': { type: 'string' },
  'take-secrets': { type: 'boolean' },
  link: { type: 'string' },
  plain: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  resume: { type: 'string' },
} as const;

export const askHelp = `holdpoint ask TITLE [flags]      ask people, wait, and print the answer as JSON

  holdpoint ask "Deploy 2.4.0?" --choice staging --choice production --plain
  holdpoint ask "Delete 14 files?" --approve --argument folder=/srv/old --timeout 10m
  holdpoint ask "Who is on call?" --text --assignee sam
  holdpoint ask "Release" --field version --field env:select=staging,production --field notes?:textarea
  holdpoint ask --form question.json
  holdpoint ask --resume ID

what is asked
  --choice VALUE            one of these; repeat it. --many: any number of them
  --approve                 allow or deny, with --argument NAME=VALUE (repeat it) to show what would be done
  --text                    one line of text, which is what is asked without any of these
  --field NAME:TYPE         a field of a form; repeat it. TYPE is text unless said; NAME?:TYPE need not be filled in;
                            NAME:select=a,b,c has options. Beside --approve it lets people change that argument
  --form FILE               the whole question as JSON, as POST …/interactions takes it; - reads standard input
  --body TEXT               more words, in Markdown

who, where, how long
  --assignee NAME           only these may answer; repeat it
  --thread ID               the thread to ask in, made if there is none; without it a new one
  --deadline TIME           2h, or 2026-11-17T09:00:00Z: the question expires then
  --timeout TIME            90s, 10m, 2h: how long to wait here (for ever). The question stays open,
                            unless there is --cancel-on-timeout
  --idempotency-key KEY     a script that is run again with the same key and words finds its own question, and its
                            answer, and does not ask twice
  --count-deadline-as-approval
                            an approval that only its deadline accepted counts as answered; without it, as expired
  --resume ID               wait for a question that was asked before

what is printed
  --plain                   only the value, of a choice, a text or the decision of an approval
  --take-secrets            also secret values, which are handed out once
  --link NAME               also a link by which NAME can answer without signing in; takes an admin key
  --json                    JSON, which is what is printed anyway
  -q, --quiet               nothing on standard error but failures

${connectionHelp}

exit codes
  0 answered   3 declined   4 expired   5 cancelled   6 no answer within --timeout   1 failure   2 wrong usage
`;
