/** Makes the errors of a failed union readable. */
import type { TLocalizedValidationError } from 'typebox/error';

/** Of a union that failed keeps the branch that came nearest: a reader has no use for what the others wanted. */
export function narrowUnions(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  let kept = errors;
  // Inner unions are reported before the outer ones that hold them.
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    if (!kept.includes(union)) continue;
    const inside = `${union.schemaPath}/anyOf/`;
    // The items of a list share their schema path, so the place in the value counts too.
    const isInside = ({ schemaPath, instancePath }: TLocalizedValidationError) =>
      schemaPath.startsWith(inside) && `${instancePath}/`.startsWith(`${union.instancePath}/`);
    const outside = kept.filter((error) => error !== union && !isInside(error));
    const branches = Map.groupBy(
      kept.filter(isInside),
      (error) => error.schemaPath.slice(inside.length).split('/', 1)[0],
    );
    kept = [...outside, ...nearest(union, [...branches.values()])];
  }
  return kept;
}

function nearest(
  union: TLocalizedValidationError,
  branches: TLocalizedValidationError[][],
): TLocalizedValidationError[] {
  const [best] = branches.toSorted((a, b) => distance(a, union) - distance(b, union));
  if (!best || misses(best, union)) return [alternatives(union, union.instancePath, branches)];
  const tag = best.find((error) => error.keyword === 'const');
  if (
    tag &&
    branches.every((branch) => branch.some((e) => e.keyword === 'const' && e.instancePath === tag.instancePath))
  ) {
    return [alternatives(union, tag.instancePath, branches)];
  }
  return best;
}

/** Whether the branch fails at the value itself, being of another type or another constant. */
function misses(branch: TLocalizedValidationError[], union: TLocalizedValidationError): boolean {
  return branch.some(
    (error) => error.instancePath === union.instancePath && ['type', 'const', 'enum'].includes(error.keyword),
  );
}

/** A branch whose constant differs (its `type`, say) is another thing altogether; then the fewest errors win. */
function distance(branch: TLocalizedValidationError[], union: TLocalizedValidationError): number {
  if (misses(branch, union)) return 10_000;
  return branch.length + (branch.some((error) => error.keyword === 'const') ? 1_000 : 0);
}

/** One error that lists the constants, or else the types, any branch would have taken at that place. */
function alternatives(
  union: TLocalizedValidationError,
  instancePath: string,
  branches: TLocalizedValidationError[][],
): TLocalizedValidationError {
  const errors = branches.flat().filter((error) => error.instancePath === instancePath);
  const { schemaPath, message } = union;
  const allowedValues = errors.flatMap((error) =>
    error.keyword === 'const'
      ? [error.params.allowedValue]
      : error.keyword === 'enum'
        ? error.params.allowedValues
        : [],
  );
  if (allowedValues.length > 0)
    return { keyword: 'enum', schemaPath, instancePath, message, params: { allowedValues } };
  const type = errors.flatMap((error) => (error.keyword === 'type' ? error.params.type : []));
  return type.length > 0 ? { keyword: 'type', schemaPath, instancePath, message, params: { type } } : union;
}
