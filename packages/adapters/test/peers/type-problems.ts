/** What TypeScript says of programs and of the published types they lead to, and not of what others publish. */
import ts from 'typescript';

const options: ts.CompilerOptions = {
  ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, types: ['node'], noEmit: true },
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
};

export function typeProblems(root: string, files: readonly string[]): string[] {
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => root;
  const program = ts.createProgram(files, options, host);
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}/`));
  const found = ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return found.map(({ file, start = 0, messageText }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${file?.fileName.slice(root.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
