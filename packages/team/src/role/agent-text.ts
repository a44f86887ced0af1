import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { z } from 'zod';
import type { RoleTemplate } from './template.js';

/**
 * Words of a role template that an agent wrote into the project's own folder, and what a person has said of them.
 * They are known by the name and the whole text, for ever: also when the run that wrote them is over or removed.
 */
export type AgentText = {
  readonly run: string;
  readonly node: string;
  readonly state: 'proposed' | 'allowed' | 'denied';
  /** What the run had in their place: the last that a person wrote or allowed. Null: there was nothing. */
  readonly before: RoleTemplate | null;
};

export interface AgentTexts {
  /** An agent wrote this. What a person said of the same words at another time does not count. */
  wrote(role: RoleTemplate, by: Omit<AgentText, 'state'>): Promise<void>;
  /** A person's word on it. Words that no agent wrote need none. */
  answer(role: RoleTemplate, state: 'allowed' | 'denied'): Promise<void>;
  /** Whose words these are; undefined: a person's, or allowed by one. */
  find(role: Pick<RoleTemplate, 'name' | 'text'>): Promise<AgentText | undefined>;
}

/** The agents' texts of a project, kept in files of CUEBOOK_HOME: one for each text, written whole. */
export function createAgentTexts(home: TextHome, hash: (text: string) => string): AgentTexts {
  const fileOf = ({ name, text }: Pick<RoleTemplate, 'name' | 'text'>): string =>
    `${FOLDER}/${hash(JSON.stringify([name, text])).replace('sha256:', '')}.json`;
  const read = async (path: string): Promise<AgentText | undefined> => {
    const found = await home.readText(path);
    if (found.ok) return parse(found.value);
    return found.error.code === 'E_FILE_NOT_FOUND' ? undefined : UNREADABLE;
  };
  const write = async (path: string, value: AgentText): Promise<void> => {
    const made = await home.makeDirectory(FOLDER);
    const written = made.ok ? await home.writeText(path, JSON.stringify(value), { mode: 0o600 }) : made;
    // Whoever goes on without this would take an agent's words for a person's.
    if (!written.ok) throw new Error(`CUEBOOK_HOME: ${describeFileError(written.error)}`);
  };
  return {
    wrote: (role, by) => write(fileOf(role), { ...by, state: 'proposed' }),
    async answer(role, state) {
      const known = await read(fileOf(role));
      if (known !== undefined) await write(fileOf(role), { ...known, state });
    },
    async find(role) {
      const known = await read(fileOf(role));
      const isOpen = known !== undefined && known.state !== 'allowed';
      return guard('role.agent', isOpen) ? known : undefined;
    },
  };
}

/** What is needed of CUEBOOK_HOME. */
export type TextHome = Pick<Files, 'readText' | 'writeText' | 'makeDirectory'>;

const FOLDER = 'templates';

const roleSchema = z.object({
  name: z.string(),
  version: z.string(),
  capabilities: z.array(z.string()),
  constraints: z.array(z.string()),
  source: z.enum(['repository', 'shipped']),
  file: z.string(),
  text: z.string(),
});
const schema = z.object({
  run: z.string(),
  node: z.string(),
  state: z.enum(['proposed', 'allowed', 'denied']),
  before: roleSchema.nullable(),
});

/** A note that says nothing is no permission: the words are an agent's, and nothing is known beside that. */
const UNREADABLE: AgentText = { run: 'unknown', node: 'unknown', state: 'denied', before: null };

function parse(text: string): AgentText {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : UNREADABLE;
  } catch {
    return UNREADABLE; // Writes are whole, so somebody else wrote this.
  }
}
