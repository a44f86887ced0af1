/**
 * How many slips of typing lie between what was said and a name, both as words in lower case; undefined when it is no
 * slip of that name. A slip is a letter too many, too few or another, or two neighbours changed over; one in a word,
 * two in a long one, two in a name. What has a meaning of its own is no slip: another number, another short word, a
 * word that tools are named by (`close` is not `clone`), the same with a prefix (`load` is not `upload`).
 */
export function countSlips(said: readonly string[], own: readonly string[]): number | undefined {
  const letters = own.join('').length;
  if (letters < SHORTEST) return undefined;
  if (said.length !== own.length) return joinedSlips(said, own);
  let slips = 0;
  for (const [at, word] of own.entries()) {
    const spoken = said[at] ?? '';
    if (spoken === word) continue;
    const count = wordSlips(spoken, word, letters);
    if (count === undefined) return undefined;
    slips += count;
  }
  return slips <= (letters < LONG ? 1 : 2) ? slips : undefined;
}

/** Names of fewer letters have neighbours of other meanings only. */
const SHORTEST = 5;
/** Names, and words, from which on two slips are believed. */
const LONG = 8;
/** Words up to this length have neighbours of other meanings: their letters may be changed over, missing or double. */
const SHORT_WORD = 3;

function wordSlips(said: string, own: string, letters: number): number | undefined {
  if (!isSlipOf(said, own)) return undefined;
  const count = countEdits(said, own);
  if (count > (own.length < LONG ? 1 : 2)) return undefined;
  if (own.length > SHORT_WORD) return count;
  const isChanged = said.length === own.length && !isTransposed(said, own);
  return letters < LONG || said.length < 1 || isChanged ? undefined : count;
}

/** Words that are joined or cut otherwise: no letter is another, and no whole word is missing. */
function joinedSlips(said: readonly string[], own: readonly string[]): number | undefined {
  const [a, b] = [said.join(''), own.join('')];
  const isCut = own.every((word) => said.includes(word)) || said.every((word) => own.includes(word));
  if (isCut || b.length < LONG || !isSlipOf(a, b) || countEdits(a, b) !== 1) return undefined;
  return a.length === b.length && !isTransposed(a, b) ? undefined : 1;
}

const isSlipOf = (said: string, own: string): boolean =>
  (!TOOL_WORDS.has(said) || `${said}s` === own) &&
  !/[^\p{L}]/u.test(said + own) &&
  !PREFIXES.some((prefix) => said === prefix + own || own === prefix + said);

function isTransposed(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Insertions, deletions, substitutions and swaps of neighbours between two strings. */
export function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** What turns a word into another, often its opposite. */
const PREFIXES = 'un re de dis in en em im ex up out on off pre sub non mis over under auto multi co'.split(
  ' ',
);

/** Words that tools are named by: whoever says one means it. */
const TOOL_WORDS: ReadonlySet<string> = new Set(
  `abort accept access account action activate active add admin agent alert alias allow amend answer append apply approve
  archive area arg array ask assert assign attach audit auth back ban base batch bill bind bits block board body book
  boot bot box branch break bring browse bucket build bulk burn bus buy byte cache calc call cancel card cart case cast cat
  chain change channel chart chat check chip chunk city clean clear click client clip clock clone close cloud code coin
  collect column comment commit compare compile complete compute config connect console container context control
  convert copy core cost count cover crash crawl create credit crop crypt cut data date day deactivate dead deal debit
  debug decide decline decode decompress decrease decrypt default delete deliver demo deny deploy depth desk detach
  detect device dial diff digest dir disable disconnect dispatch dock doc docs domain done door down download draft drag draw
  drive drop dump edge edit email emit empty enable encode encrypt end enter entry env erase error eval even event exec
  execute exit expand explain export fact fail fan fetch field file fill filter final find finish fire fix flag flat
  flip floor flow flush focus fold folder follow force fork form format forward frame free freeze from full gain game gate get
  give glob goal grab grant graph grep group grow guess guide halt hand handle hang hard hash head heal hear help hide
  high hint history hold home hook host hour icon idle image import inbox include increase index info init input insert
  inspect install invite invoke issue item job join jump keep key kick kill label land last launch lead learn leave left
  lend length less let level like line link lint list listen live load local locate location lock log login logout logs look
  loop lose lost low mail main make map mark mask match math meet memo merge message meta mint mode model modify month
  more mount mouse move mute name near need nest net new news next node note notes now null object off office offer open
  order pack page pair park parse part pass paste patch path pause pay peek person phone pick pin ping pipe place plan
  play plot point poll pool pop port post press prev price print process project prompt proof publish pull purge push
  put query queue quit quote race raise random rank rate raw read ready reap rebase receive record redo reduce refund
  reject release reload remote remove rename render repair repeat replace reply report request reset resolve rest restart
  restore result resume retry return reuse revert review revoke right role roll room root rotate route row rule run safe
  sale save scale scan schedule score screen script scroll seal search secret seek select sell send server service
  session set setup shape share sheet shell shift ship shop show shut sign signal site size skip slack sleep slice slide slow
  smart snap sort source space span spawn speak spell split spot stack staff stage star start stat state stats status stay
  step stop store storm story stream string style submit subscribe sum swap switch sync system table tag tail take talk
  task team tell term test text thread tick ticket tile time title toggle token tool top total touch trace track trade
  train transfer translate trash tree trial trigger trim trust try tune turn type undo uninstall unlock unmount unpin unset
  update upgrade upload url use user vacuum validate value vary verify view visit void vote wait wake walk warn watch wave
  week wipe word words work wrap write year zip zone zoom`.split(/\s+/),
);
