import type { Files } from '@cuebook/files';
import { CONFIG_FILE } from '@cuebook/profile';
import { type Diagnostic, ok, type Result } from '@cuebook/prompt';
import { NO_CONFIG, type ProviderConfig, readProviderConfig } from '@cuebook/provider';
import { diagnosed } from '../failure.js';
import { requireFile } from './named-file.js';

/** What the project's configuration says about providers, or what is wrong with it. */
export async function readProviders(files: Files): Promise<Result<ProviderConfig, readonly Diagnostic[]>> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return ok(NO_CONFIG);
  return readProviderConfig(requireFile(text, CONFIG_FILE), CONFIG_FILE);
}

/** The same where nothing may be wrong. */
export async function requireProviders(files: Files): Promise<ProviderConfig> {
  const read = await readProviders(files);
  if (!read.ok) throw diagnosed(read.error);
  return read.value;
}
