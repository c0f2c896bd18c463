/** Deep equality of JSON values: own properties only, in any order. */
export function jsonEqual(left: unknown, right: unknown, onCompare?: () => void): boolean {
  onCompare?.();
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      jsonEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], onCompare),
  );
}
