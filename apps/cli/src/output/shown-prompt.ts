import { guard } from '@cuebook/guard';
import { type Prompt, renderDocument } from '@cuebook/prompt';

/** A prompt as it is shown: confidential text masked, and every offset counted in what is on the screen. */
export function shownPrompt(prompt: Prompt, { reveal }: { readonly reveal: boolean }): Prompt {
  const isPublic = prompt.blocks.every(({ spans }) => spans.every(({ secrecy }) => secrecy === 'public'));
  if (isPublic || !guard('explain.mask', !reveal)) return prompt;
  const { blocks } = renderDocument({ profile: '', prompt, tokens: { total: 0, byBlock: {} } });
  const text = blocks
    .map((block) => block.text)
    .filter((each) => each !== '')
    .join('\n\n');
  return { ...prompt, blocks, text };
}
