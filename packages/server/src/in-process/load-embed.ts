/** Loads the server. The published package has `load-embed.packed.ts` instead. */
export const loadEmbed = () => import('./embed.ts');
