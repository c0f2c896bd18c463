/** Loads what needs the whole server. In the published package `load-embed.packed.ts` stands in its place. */
export const loadEmbed = () => import('./embed.ts');
