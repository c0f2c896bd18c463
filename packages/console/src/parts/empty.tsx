/** A place where nothing is yet: says what would be here, and how the first one is made. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  title: string;
  icon?: IconName;
  /** A line for a terminal, a button: whatever makes the first one. */
  children?: ComponentChildren;
}

export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <h2>{title}</h2>
      {children}
    </div>
  );
}
