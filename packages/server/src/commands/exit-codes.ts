/** How a command ends, for scripts that look at `$?`. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  declined: 3,
  expired: 4,
  cancelled: 5,
  unanswered: 6,
  /** As a shell says of a command that was ended by Ctrl-C. */
  interrupted: 130,
  /** As it says of one whose reader has left: `head`, a pager. */
  unread: 141,
} as const;
