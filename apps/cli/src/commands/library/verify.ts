import { KEYS, verifyVersion } from '@cuebook/bundle';
import { findLibrary, versionName } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { told } from '../../hint/typed.js';
import { requireVersion } from '../../library/named-version.js';
import { printJson } from '../../output/json.js';
import { describeRefusal, type PlatformRefusal } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { readNamedFile } from '../../project/named-file.js';

/**
 * `cuebook library verify [NAME@VERSION...] [--root FILE]`: opens versions in the store, retired ones too, and verifies
 * each from a root on. Exit code 1 for any no.
 */
export const verify: CommandHandler = async ({ args, flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const signed = library.record.templates.filter(
      ({ status }) => status === 'listed' || status === 'retired',
    );
    const asked = args.length === 0 ? signed : args.map((name) => requireVersion(library, name));
    const file = flagValue(flags, 'root');
    const root =
      file === undefined ? platform.trust.root.bytes : Buffer.from(await readNamedFile(io.cwd, file));
    const results = [];
    for (const { scenario } of asked) {
      const name = versionName(scenario);
      const found = await verifyVersion({ objects: platform.objects, root }, scenario);
      results.push(
        found.ok
          ? {
              version: name,
              ok: true as const,
              proof: found.value.proof,
              template: found.value.scenario.template,
            }
          : {
              version: name,
              ok: false as const,
              code: found.error.code,
              problem: describeRefusal(found.error as unknown as PlatformRefusal),
            },
      );
    }
    if (isOn(flags, 'json')) await printJson(io, { versions: results });
    else
      for (const result of results)
        await io.out(
          result.ok
            ? `${result.version}  valid, by list ${result.proof.library} and root ${result.proof.root}\n`
            : `${result.version}  ${result.code} ${result.problem}\n`,
        );
    const list = await platform.objects.get(KEYS.shared('library', library.metadata.version));
    if (!list.ok && list.error.reason === 'not-found')
      await io.err(
        told(
          io,
          `List ${library.metadata.version} is not in the store. Put it there: ${hint`platform renew`}\n`,
        ),
      );
    return results.every(({ ok }) => ok) ? 0 : 1;
  });
