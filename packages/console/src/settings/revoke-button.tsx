/** Begins to revoke something, which is confirmed before it is done. */
export const RevokeButton = ({ name, onClick }: { name: string; onClick(): void }) => (
  <button type="button" class="button small" aria-label={`Revoke ${name}`} onClick={onClick}>
    Revoke
  </button>
);
