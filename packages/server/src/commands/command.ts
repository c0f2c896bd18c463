/** What a command of the command line is, and what it is given of the world. */

export interface Command {
  /** All that it takes, for `holdpoint NAME --help`. */
  help: string;
  /** Gives the exit code. A `ConfigError` is a mistake of the caller; every other error a failure. */
  run(args: readonly string[], shell: Shell): Promise<number>;
}

export interface Shell {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  /** What programs read: the answer, and nothing else. */
  stdout: NodeJS.WriteStream;
  /** What people read meanwhile. */
  stderr: NodeJS.WriteStream;
}
