import { type Call, isOn } from '../command.js';
import { printJson } from '../output/json.js';
import { calledWire } from './called-wire.js';

/** Shows the body as the provider is sent it; with `--json` the source of each byte, too. */
export async function renderBody(call: Call): Promise<number> {
  const { flags, io } = call;
  const { document, target, isSent } = await calledWire(call);
  if (isOn(flags, 'json')) {
    await printJson(io, { target, ...document, ...(isSent === undefined ? {} : { sent: isSent }) });
  } else await io.out(document.text.endsWith('\n') ? document.text : `${document.text}\n`);
  return 0;
}
