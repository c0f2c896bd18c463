/** Names that break a query, a page, a log line or a terminal that does not take care. */
export const hostileTexts = [
  "Robert'); DROP TABLE documents; --",
  '<img src=x onerror=alert(1)>',
  '{{7*7}} %s %n \\u0041',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'ann\u202egnp.exe',
  'Zo\u00eb \ud83d\udc69\u200d\ud83d\ude80 Łukasz',
  'میرزا\u200cخان',
  '\ufeffBOM',
  'person:admin',
  'group:*',
  'a'.repeat(200),
];
