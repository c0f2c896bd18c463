/** The button below a list of which there is more. */
export function More({ of: { more, isLoading } }: { of: { more?: () => void; isLoading: boolean } }) {
  if (!more) return null;
  return (
    <div class="more">
      <button type="button" class="button small" aria-disabled={isLoading} onClick={more}>
        Show more
      </button>
    </div>
  );
}
