/** GitHub shows ten of each in a step. */
const MOST = 10;

/**
 * The results of a SARIF log as lines that GitHub shows on the lines of a pull request, and that other systems print. For
 * repositories that cannot take SARIF.
 */
export function annotationsOf({ runs }) {
  const results = runs.flatMap((run) => run.results);
  return ['error', 'warning'].flatMap((level) =>
    results
      .filter((result) => result.level === level)
      .slice(0, MOST)
      .map(lineOf),
  );
}

function lineOf({ level, ruleId, message, locations: [location] }) {
  const { artifactLocation, region } = location?.physicalLocation ?? {};
  const properties = {
    file: artifactLocation && decodeURIComponent(artifactLocation.uri),
    line: region?.startLine,
    col: region?.startColumn,
    title: ruleId,
  };
  const told = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
    );
  return `::${level} ${told.join(',')}::${escaped(message.text)}`;
}

/** A message cannot begin another command. */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
