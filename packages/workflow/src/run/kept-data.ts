import type { Files } from '@cuebook/files';
import { z } from 'zod';
import type { DataContext } from '../compose/data-context.js';

/** Below `logs/`, where no tool writes. */
const FILE = 'logs/data-context.json';

const schema = z.object({ label: z.string(), path: z.string(), text: z.string() });

/** Keeps the file that a run is about as it was when the run began. */
export const keepData = (keeper: Files, data: DataContext): ReturnType<Files['writeText']> =>
  keeper.writeText(FILE, JSON.stringify(data), { mode: 0o600 });

/** What an earlier process kept; undefined when there is none. */
export async function readKeptData(keeper: Files): Promise<DataContext | undefined> {
  const text = await keeper.readText(FILE);
  if (!text.ok) return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(text.value));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Writes are whole, so somebody else wrote this.
  }
}
