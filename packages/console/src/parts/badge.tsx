/** A short word about how something stands; the colour never says it alone. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'info';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
