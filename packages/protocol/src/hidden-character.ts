/**
 * Matches a character that nobody sees, or that changes how other characters look: bidi controls, zero width and
 * control characters, fillers, tags, variation selectors, halves of surrogate pairs. Some of them belong to ordinary
 * text; `visibleParts` leaves those alone.
 */
export const hiddenCharacter =
  /[\p{DI}\p{Cs}\p{NChar}\p{Zl}\p{Zp}\u2800\ufff9-\ufffc\u{16fe4}\u{1d159}]|(?![\t\n]|\r\n)\p{Cc}/u;
