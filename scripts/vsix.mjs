// @ts-check
import { Buffer } from 'node:buffer';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { licencesOf } from './bundle.mjs';
import { ROOT } from './process.mjs';

// The extension for VS Code as one .vsix file, made without the network: `npm run vsix [FILE]`. A .vsix is a zip archive
// with the extension in a folder, a manifest and the list of content types. The same sources give the same bytes.

const FOLDER = join(ROOT, 'apps', 'vscode');

/** Writes the extension to a file. Answers what is in it, by name. */
export async function packExtension(/** @type {string} */ file) {
  const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  const { code, licences } = await bundleExtension();
  // What only our own build reads stays here: dependencies are in the bundle.
  const { private: _private, dependencies: _bundled, devDependencies: _tools, ...shipped } = manifest;
  const files = {
    'extension.vsixmanifest': vsixManifest(manifest),
    '[Content_Types].xml': CONTENT_TYPES,
    'extension/package.json': `${JSON.stringify({ ...shipped, name: 'cuebook' }, null, 2)}\n`,
    'extension/extension.cjs': code,
    'extension/README.md': readFileSync(join(FOLDER, 'README.md'), 'utf8'),
    'extension/LICENSE.txt': readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    'extension/LICENSES.txt': licences,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, zipOf(files));
  return files;
}

async function bundleExtension() {
  const { rolldown } = await import('rolldown');
  const work = await rolldown({
    cwd: FOLDER,
    input: { extension: 'src/extension.ts' },
    platform: 'node',
    external: ['vscode'],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await work.generate({ format: 'cjs', minify: true, codeSplitting: false });
  await work.close();
  const [chunk] = output;
  return { code: chunk.code, licences: licencesOf(output) };
}

/** @param {{ name: string, publisher: string, version: string, displayName: string, description: string, categories: readonly string[], keywords: readonly string[], engines: { vscode: string } }} manifest */
function vsixManifest({ publisher, version, displayName, description, categories, keywords, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="cuebook" Version="${xml(version)}" Publisher="${xml(publisher)}" />
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml(keywords.join(','))}</Tags>
    <Categories>${xml(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".cjs" ContentType="application/javascript" />
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".md" ContentType="text/markdown" />
  <Default Extension=".txt" ContentType="text/plain" />
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
</Types>
`;

const xml = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The first of January 1980, the day that zip archives count from. */
const DATE = 0x0021;

/**
 * A zip archive of texts: deflated, without dates of today.
 *
 * @param {Readonly<Record<string, string>>} files
 */
function zipOf(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes, { level: 9 });
    // Version 2.0, names in UTF-8, deflated.
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(0x0800, 2);
    entry.writeUInt16LE(8, 4);
    entry.writeUInt16LE(DATE, 8);
    entry.writeUInt32LE(crc32(bytes), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(bytes.length, 18);
    entry.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), entry, place, name]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = resolve(process.argv[2] ?? join(ROOT, '.cache', 'cuebook.vsix'));
  await packExtension(file);
  console.log(file);
}
