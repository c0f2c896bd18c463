/** Checks the value of a text-like field: length in code points, pattern, and the form of emails, urls and numbers. */
import { answerLimits } from '../answer-limits.ts';
import type { PatternMatcher } from '../pattern.ts';
import { fieldProblem, type Problem } from '../problem.ts';
import type { TextLikeField } from './field.ts';

const emailName = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const urlParts = /^https?:\/\/([^/?#]+)((?:[/?][^#]*)?)(#.*)?$/i;
const urlCharacters = /^(?:[-a-z0-9._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;
const telCharacters = /^[+0-9 ().\-/#*x]+$/i;

export function checkText(field: TextLikeField, value: unknown, at: string, matches: PatternMatcher): Problem[] {
  const complain = (code: string, sentence: string) => fieldProblem(field, at, code, sentence);
  if (typeof value !== 'string') return [complain('type', 'enter text.')];
  const problems: Problem[] = [];
  const length = codePoints(value);
  const max = Math.min(field.maxLength ?? answerLimits.textLength, answerLimits.textLength);
  if (field.minLength !== undefined && length < field.minLength) {
    problems.push(complain('min-length', `enter at least ${characters(field.minLength)}.`));
  }
  if (length > max) return [...problems, complain('max-length', `enter at most ${characters(max)}.`)];
  if (field.type === 'email' && !isEmail(value)) {
    problems.push(complain('email', 'enter an email address such as name@example.com.'));
  }
  if (field.type === 'url' && !isUrl(value)) {
    problems.push(complain('url', 'enter an address that begins with http:// or https://.'));
  }
  if (field.type === 'tel' && !isTel(value)) {
    problems.push(complain('tel', 'enter a phone number such as +1 555 010 0199.'));
  }
  if (field.pattern !== undefined && !matches(field.pattern, value)) {
    problems.push(complain('pattern', `it must match ${field.pattern}.`));
  }
  return problems;
}

export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    count++;
  }
  return count;
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`);

/** Stricter than HTML: no two dots in a row, and the host needs a dot, because name@gmail is a common mistake. */
export function isEmail(text: string): boolean {
  if (text.length > answerLimits.emailLength) return false;
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return at > 0 && at <= 64 && emailName.test(text.slice(0, at)) && labels.length > 1 && labels.every(isHostLabel);
}

/** An http(s) URI of RFC 3986, which is ASCII. The widget converts pasted text to one. */
function isUrl(text: string): boolean {
  if (text.length > answerLimits.urlLength) return false;
  const [, authority, path = '', fragment = ''] = urlParts.exec(text) ?? [];
  if (authority === undefined || !urlCharacters.test(path) || !urlCharacters.test(fragment.slice(1))) return false;
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return Number(port) <= 65_535 && host.length <= 253 && host.split('.').every(isHostLabel);
}

const isHostLabel = (label: string) => hostLabel.test(label);

function isTel(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return telCharacters.test(text) && digits >= 3 && digits <= 20;
}
