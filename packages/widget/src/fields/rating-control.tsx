/** Stars, hearts or thumbs: a group of radio buttons that looks like what it counts. */
import type { FieldOf } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import type { FieldProps } from '../form/field-props.ts';

const defaultStars = 5;
const shapes = {
  star: 'M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3-5.8 3 1.1-6.5L2.6 9.4l6.5-.9z',
  heart:
    'M12 20.5s-7.8-4.7-9.3-9.3C1.5 7.4 4 4.5 7 4.5c2 0 3.7 1.1 5 3 1.300-1.900 3-3 5-3 3 0 5.500 2.900 4.300 6.700-1.500 4.600-9.300 9.300-9.300 9.300z',
  thumb:
    'M2 10.500h4V21H2zM7.500 21h9.300c1.200 0 2.200-.8 2.500-2l1.600-6c.3-1.300-.6-2.500-2-2.500H14V6c0-1.700-1-3-2.500-3-.6 0-1 .4-1 1v2.500l-3 4.500z',
} as const;

export function RatingControl({ field, id, value, onChange, strings }: FieldProps<FieldOf<'rating'>>) {
  const max = field.maxStars ?? defaultStars;
  const [hovered, hover] = useState(0);
  const lit = hovered || (typeof value === 'number' ? value : 0);
  return (
    <div class="rating" onMouseLeave={() => hover(0)}>
      {Array.from({ length: max }, (_, index) => {
        const stars = index + 1;
        return (
          <label class={stars <= lit ? 'star lit' : 'star'} key={stars} onMouseEnter={() => hover(stars)}>
            <input
              type="radio"
              id={index === 0 ? id : undefined}
              name={id}
              aria-label={strings.ratingOf(stars, max)}
              checked={value === stars}
              onChange={() => onChange(stars)}
            />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={shapes[field.ratingIcon ?? 'star']} />
            </svg>
          </label>
        );
      })}
      {!field.required && value !== undefined && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          {strings.clear}
        </button>
      )}
    </div>
  );
}
