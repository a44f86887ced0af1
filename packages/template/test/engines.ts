import type { RenderOptions, TemplateError, TemplateOptions, TemplateSpan } from '../src/index.js';
import { parseTemplate } from '../src/index.js';
import type { RenderEngine } from '../src/render.js';

/** Every back end; `deep` is what runs templates that call templates too deep for the stack. */
export const ENGINES = ['code', 'closures', 'deep'] as unknown as readonly RenderEngine[];

export type Outcome =
  | { readonly text: string; readonly bytes: Uint8Array; readonly spans: readonly TemplateSpan[] }
  | { readonly error: TemplateError };

/** Parses and renders in one go. */
export function outcome(
  options: Omit<TemplateOptions, 'name'>,
  data: unknown = undefined,
  renderOptions: RenderOptions = {},
): Outcome {
  const parsed = parseTemplate({ name: 't', ...options });
  if (!parsed.ok) return { error: parsed.error };
  const rendered = parsed.value.render(data, renderOptions);
  if (!rendered.ok) return { error: rendered.error };
  const { text, bytes, spans } = rendered.value;
  return { text, bytes, spans };
}

/** The text, or the message of the error. */
export function said(result: Outcome): string {
  return 'text' in result ? result.text : result.error.message;
}
