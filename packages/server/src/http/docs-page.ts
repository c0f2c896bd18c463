import type { OpenApiDocument } from './openapi.ts';

export function docsPage(document: OpenApiDocument): { html: string; headers: Record<string, string> } {
  return {
    html: `<!doctype html><title>${document.info.title}</title>`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  };
}
