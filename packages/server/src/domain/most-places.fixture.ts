import type { GroupCount } from './quorum.ts';

/** Returns how many places voters fill at most. Tries every place for every voter. */
export function mostPlaces(of: readonly GroupCount[], [first, ...rest]: readonly (readonly string[])[]): number {
  if (!first) return 0;
  const seated = of.flatMap((each, index) =>
    first.includes(each.group) && each.count > 0
      ? [1 + mostPlaces(of.with(index, { ...each, count: each.count - 1 }), rest)]
      : [],
  );
  return Math.max(mostPlaces(of, rest), ...seated);
}
