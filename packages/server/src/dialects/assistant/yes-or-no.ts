/** Whether a text says yes or no, and nothing else. "Yes, but in blue" says something else. */

const phrases = (text: string): string[][] => text.split(',').map((phrase) => phrase.trim().split(' '));

const yes = phrases(
  `yes,y,yeah,yep,yup,sure,ok,okay,of course,absolutely,definitely,certainly,correct,right,true,agreed,i agree,i do,fine,
  great,good,perfect,go ahead,go for it,do it,do that,do so,lets do it,lets do that,lets go,looks good,sounds good,that is fine,thats fine,approve,
  approved,i approve,allow,allowed,accept,accepted,i accept,confirm,confirmed,i confirm,proceed,continue,\u{1f44d},\u2705`,
);
const no = phrases(
  `no,n,nope,nah,no way,not now,not yet,not today,not this time,not really,do not,dont,dont do it,dont do that,do not do it,do not do that,i dont,i do not,
  never,deny,denied,reject,rejected,i reject,decline,declined,i decline,refuse,i refuse,disapprove,false,wrong,incorrect,stop,
  no thanks,no thank you,\u{1f44e},\u274c`,
);
const polite = phrases('please,thanks,thank you,thank you very much,it,that,this,now,then,with it,with that');

/** Two words of no that together are none. */
const denied = /\b(dont|do not|never) (stop|refuse|reject|deny|decline|disapprove)\b/;

export function yesOrNo(words: readonly string[]): boolean | undefined {
  if (denied.test(words.join(' '))) return undefined;
  let rest = words;
  const said = new Set<boolean>();
  while (rest.length > 0) {
    const [length, meaning] = longest(rest);
    if (length === 0) return undefined;
    if (meaning !== undefined) said.add(meaning);
    rest = rest.slice(length);
  }
  return said.size === 1 ? said.has(true) : undefined;
}

/** The longest phrase that the words begin with, and what it says. */
function longest(words: readonly string[]): [length: number, meaning: boolean | undefined] {
  const found = (
    [
      [no, false],
      [yes, true],
      [polite, undefined],
    ] as const
  ).map(([known, meaning]): [number, boolean | undefined] => [lengthOf(words, known), meaning]);
  return found.reduce((best, one) => (one[0] > best[0] ? one : best));
}

const lengthOf = (words: readonly string[], known: readonly string[][]): number =>
  Math.max(0, ...known.filter((phrase) => phrase.every((word, at) => words[at] === word)).map(({ length }) => length));
