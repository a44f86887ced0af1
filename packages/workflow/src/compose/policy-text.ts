import type { Piece } from '@cuebook/prompt';
import type { ToolPolicy } from '../policy/policy.js';
import { TEXTS } from '../shipped-texts.js';
import { between } from './labels.js';

/** The second layer: the merged policy in words. What it says is what is enforced. */
export function policyPieces({ fs, mcp, terminal }: ToolPolicy): readonly Piece[] {
  const disabled = TEXTS.piece('turn.md#policy.disabled');
  const timeoutMs = setting('terminal.timeoutMs', terminal.timeoutMs);
  return TEXTS.fill('turn.md#policy', {
    fs: fs.enabled
      ? TEXTS.fill('turn.md#policy.fs', {
          maxReadBytes: setting('fs.maxReadBytes', fs.maxReadBytes),
          maxWriteBytes: setting('fs.maxWriteBytes', fs.maxWriteBytes),
        })
      : disabled,
    mcp: mcp.enabled ? serverPieces(mcp) : disabled,
    terminal: terminal.enabled
      ? [between('\n'), ...TEXTS.fill('turn.md#policy.terminal', { timeoutMs })]
      : [],
    state: fs.enabled ? [between('\n\n'), TEXTS.piece('turn.md#policy.state')] : [],
  });
}

function serverPieces({ allowedServers }: ToolPolicy['mcp']): readonly Piece[] {
  if (allowedServers === undefined) return [TEXTS.piece('turn.md#policy.mcp.all')];
  const servers =
    allowedServers.length === 0
      ? TEXTS.piece('turn.md#policy.mcp.none')
      : setting('mcp.allowedServers', allowedServers.join(', '));
  return TEXTS.fill('turn.md#policy.mcp.some', { servers });
}

const setting = (ref: string, value: number | string): Piece => ({
  text: String(value),
  origin: { kind: 'value', ref: `settings ${ref}` },
  trust: 'operator',
  secrecy: 'public',
  volatility: 'deploy',
});
