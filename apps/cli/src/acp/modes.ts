import type { SessionModeState } from '@agentclientprotocol/sdk';
import type { RunView } from '@cuebook/api';

/** The modes of a team as those of a session; other runs have none. */
export const teamModes = ({ globalMode }: Pick<RunView, 'globalMode'>): SessionModeState => ({
  currentModeId: globalMode,
  availableModes: [
    { id: 'PLANNING', name: 'Planning', description: 'Nodes plan and write documents; nobody changes code.' },
    { id: 'IMPLEMENTATION', name: 'Implementation', description: 'Nodes do what their roles allow.' },
  ],
});

/** Undefined: there is no such mode. */
export const modeOf = (id: string): RunView['globalMode'] | undefined =>
  id === 'PLANNING' || id === 'IMPLEMENTATION' ? id : undefined;
