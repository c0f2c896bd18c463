/**
 * Clocks of two nodes are assumed to differ by less than this. A due time further ahead than possible was set by a
 * wrong clock.
 */
export const clockSkewMs = 600_000;
