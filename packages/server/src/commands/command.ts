/** The shape of a command, and its exit codes. */
export interface Command {
  /** The text of `holdpoint NAME --help`. */
  help: string;
  /** Returns the exit code. A `ConfigError` is a usage error, every other error a failure. */
  run(args: readonly string[], shell: Shell): Promise<number>;
}

export interface Shell {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  /** Output for programs: only the result. */
  stdout: NodeJS.WriteStream;
  /** Output for people. */
  stderr: NodeJS.WriteStream;
}

/** Exit codes, for scripts that read `$?`. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  declined: 3,
  expired: 4,
  cancelled: 5,
  unanswered: 6,
  /** The code that a shell reports for a command ended by Ctrl-C. */
  interrupted: 130,
  /** The code that a shell reports when the reader of a pipe, such as `head`, has closed it. */
  unread: 141,
} as const;
