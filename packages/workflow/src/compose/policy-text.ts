import type { Piece } from '@cuebook/prompt';
import type { ToolPolicy } from '../policy/policy.js';
import { shipped } from './labels.js';

/** The second layer: the merged policy in words. What it says is what is enforced. */
export function policyPieces(policy: ToolPolicy): readonly Piece[] {
  const pieces: Piece[] = [text('Tool policy:')];
  const { fs, mcp, terminal } = policy;
  pieces.push(
    ...(fs.enabled
      ? [
          text('\n- fs: enabled (maxReadBytes='),
          setting('fs.maxReadBytes', fs.maxReadBytes),
          text(', maxWriteBytes='),
          setting('fs.maxWriteBytes', fs.maxWriteBytes),
          text(')'),
        ]
      : [text('\n- fs: disabled')]),
    ...mcpPieces(mcp),
    ...(terminal.enabled
      ? [
          text('\n- terminal: enabled (timeoutMs='),
          setting('terminal.timeoutMs', terminal.timeoutMs),
          text(')'),
        ]
      : []),
  );
  if (fs.enabled) {
    pieces.push(
      text('\n\nChange the state with fs.apply_patch. All writes must be under @project or @state.'),
    );
  }
  return pieces;
}

function mcpPieces({ enabled, allowedServers }: ToolPolicy['mcp']): readonly Piece[] {
  if (!enabled) return [text('\n- mcp: disabled')];
  if (allowedServers === undefined) return [text('\n- mcp: enabled (all servers)')];
  return [
    text('\n- mcp: enabled (servers: '),
    setting('mcp.allowedServers', allowedServers.join(', ') || 'none'),
    text(')'),
  ];
}

const text = (words: string): Piece => shipped('workflow tool policy', words);

const setting = (ref: string, value: number | string): Piece => ({
  text: String(value),
  origin: { kind: 'value', ref: `settings ${ref}` },
  trust: 'operator',
  secrecy: 'public',
  volatility: 'deploy',
});
