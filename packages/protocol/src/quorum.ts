/** A quorum of groups: whether the people who agree fill every place, when each of them takes one. */

/** The number of people that one group must give. */
export interface GroupCount {
  group: string;
  count: number;
}

/**
 * Returns how many places the voters fill at most. Each voter takes one place of one of their groups. A voter of two groups
 * moves to the other if that lets one more voter in, so the order of the votes does not matter (bipartite matching).
 */
export function filledPlaces(of: readonly GroupCount[], groupsOfVoters: readonly (readonly string[])[]): number {
  const places = of.map(() => [] as number[]);
  return groupsOfVoters.filter((_, voter) => seat(voter, new Set())).length;

  /** Finds a place for a voter. A voter who sits there already moves, if another place is free for them. */
  function seat(voter: number, tried: Set<number>): boolean {
    for (const [index, { group, count }] of of.entries()) {
      const seated = places[index];
      if (!seated || tried.has(index) || !groupsOfVoters[voter]?.includes(group)) continue;
      tried.add(index);
      if (seated.length < count) return seated.push(voter) > 0;
      const moved = seated.findIndex((other) => seat(other, tried));
      if (moved < 0) continue;
      seated[moved] = voter;
      return true;
    }
    return false;
  }
}

export const isQuorum = (of: readonly GroupCount[], groupsOfVoters: readonly (readonly string[])[]): boolean =>
  filledPlaces(of, groupsOfVoters) === of.reduce((sum, { count }) => sum + count, 0);
