/** Lines such as `Authorization: Bearer …` as the headers they name. */
export function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/:(.*)/s);
      return [name.trim(), value.trim()];
    }),
  );
}
