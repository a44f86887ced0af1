import { plain } from '../ui/plain.js';

/** Who answered, where anybody said so, behind what stands before it; of both variants where there are two. */
export function answeredBy(base: readonly string[], candidate: readonly string[] = base): string {
  const [was, is] = [plain(base.join(', ')), plain(candidate.join(', '))];
  if (was === '' && is === '') return '';
  return was === is ? `, answered by ${was}` : `, answered by ${was || 'unknown'} and ${is || 'unknown'}`;
}
