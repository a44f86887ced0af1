import type { RebuiltTurn } from '@cuebook/journal';
import type { Origin, Place } from '@cuebook/prompt';

/** An origin with the content hash and the commit of every file that it names, as the record of a turn has them. */
export function stamped(origin: Origin, { files }: Pick<RebuiltTurn, 'files'>): Origin {
  const stamp = <Named extends Place>(place: Named): Named => ({
    ...place,
    ...(Object.hasOwn(files, place.ref) && files[place.ref]),
  });
  return { ...stamp(origin), ...(origin.via && { via: origin.via.map(stamp) }) };
}
