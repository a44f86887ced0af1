import { ID, readJson } from '@cuebook/bundle';
import { z } from 'zod';

export const INVITATION_FORMAT = 'cuebook-invitation-1';

const schema = z.strictObject({
  format: z.literal(INVITATION_FORMAT),
  agent: z.string().regex(ID),
  platform: z.url({ protocol: /^https?$/ }),
  log: z.string().min(1).max(128),
  /** The root of trust, byte for byte. */
  root: z
    .string()
    .min(2)
    .max(1024 * 1024),
});

/** All that an agent's folder needs to know of its platform. It holds no secret; who can change it can replace the trust. */
export type Invitation = z.infer<typeof schema>;

/** The invitation of a text; undefined for anything else. */
export function readInvitation(text: string): Invitation | undefined {
  const read = readJson(Buffer.from(text), { bytes: 2 * 1024 * 1024 });
  const parsed = schema.safeParse(read.ok ? read.value : undefined);
  return parsed.success ? parsed.data : undefined;
}
