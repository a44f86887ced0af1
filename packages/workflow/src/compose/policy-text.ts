import type { Piece } from '@cuebook/prompt';
import type { PackageAgent } from '../package/package.js';
import type { ToolPolicy } from '../policy/policy.js';
import { TEXTS } from '../shipped-texts.js';
import { between } from './labels.js';

/** The second layer: the merged policy in words. What it says is what is enforced. */
export function policyPieces({ fs, mcp, terminal }: ToolPolicy, agent: SettingAgent): readonly Piece[] {
  const setting = settingOf(agent);
  const disabled = TEXTS.piece('turn.md#policy.disabled');
  const timeoutMs = setting('terminal.timeoutMs', terminal.timeoutMs);
  return TEXTS.fill('turn.md#policy', {
    fs: fs.enabled
      ? TEXTS.fill('turn.md#policy.fs', {
          maxReadBytes: setting('fs.maxReadBytes', fs.maxReadBytes),
          maxWriteBytes: setting('fs.maxWriteBytes', fs.maxWriteBytes),
        })
      : disabled,
    mcp: mcp.enabled ? serverPieces(mcp, setting) : disabled,
    terminal: terminal.enabled
      ? [between('\n'), ...TEXTS.fill('turn.md#policy.terminal', { timeoutMs })]
      : [],
    state: fs.enabled ? [between('\n\n'), TEXTS.piece('turn.md#policy.state')] : [],
  });
}

type SettingAgent = Pick<PackageAgent, 'agent' | 'yaml'>;
type Setting = (name: SettingName, value: number | string) => Piece;
type SettingName = 'fs.maxReadBytes' | 'fs.maxWriteBytes' | 'mcp.allowedServers' | 'terminal.timeoutMs';

function serverPieces({ allowedServers }: ToolPolicy['mcp'], setting: Setting): readonly Piece[] {
  if (allowedServers === undefined) return [TEXTS.piece('turn.md#policy.mcp.all')];
  const servers =
    allowedServers.length === 0
      ? TEXTS.piece('turn.md#policy.mcp.none')
      : setting('mcp.allowedServers', allowedServers.join(', '));
  return TEXTS.fill('turn.md#policy.mcp.some', { servers });
}

/**
 * A setting in words, with the place that decided it: the agent's own file where that is tighter than the operator, who
 * let it pass, so it is labelled as the operator's.
 */
const settingOf =
  ({ agent, yaml }: SettingAgent): Setting =>
  (name, value) => {
    const [group = '', field = ''] = name.split('.');
    const own = (agent.tools as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined)?.[
      group
    ]?.[field];
    const said = Array.isArray(own) ? own.join(', ') : own;
    const isOwn = said !== undefined && String(said) === String(value);
    return {
      text: String(value),
      origin: {
        kind: 'value',
        ...(isOwn ? yaml.place(['tools', group, field]) : { ref: `settings ${name}` }),
      },
      trust: 'operator',
      secrecy: 'public',
      volatility: 'deploy',
    };
  };
