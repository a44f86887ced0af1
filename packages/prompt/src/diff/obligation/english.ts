import { everyWord, type Language, list, pattern, words } from './language.js';

/** Verbs that open an order and are no nouns. */
const PLAIN = list(`
  accept achieve acknowledge act activate add adapt address adhere adjust adopt advise align allow analyse analyze append apply apologise apologize
  approve ask assign assume attach attempt base be become begin behave break bring build calculate capitalise capitalize
  carry categorise categorize choose cite clarify classify clean close collect combine come communicate compare compile
  complete compose compute conclude conduct confirm consider consult continue convert copy correct cover create decide
  declare decline deduce define delegate delete deliver depend deploy derive describe detect determine develop disclose
  discuss divide do double-check download draft draw edit elaborate elicit eliminate embed emphasise emphasize enable
  encourage enclose enforce ensure enumerate escalate escape establish evaluate examine exclude execute expand explain
  explore expose express extract fetch figure fill find finish fix flag follow forward gather generate get give go
  greet guide halt hand handle help highlight identify ignore illustrate implement improve include incorporate indicate
  infer inform initialise initialize insert inspect install integrate interpret introduce invent investigate invoke
  involve isolate justify keep know lead learn leave let listen load locate look lowercase maintain make manage map
  mask measure mention merge mimic minimise minimize modify move obey obtain offer omit open optimise optimize organise
  organize paraphrase parse pass pause perform pick pretend prepare present preserve prevent print prioritise prioritize
  proceed process produce proofread propose protect prove provide publish push put quote raise read rearrange
  reason recall recommend reconsider redact reduce refer refine reflect refuse reject relay rely remain remember remind
  remove rename repeat rephrase replace reproduce rerun resolve respect respond restart restate restrict retrieve return retry reuse
  reveal revert rewrite round run save say scan see select send separate serve set share shorten show simplify skip solve
  speak specify spell split stay stick store strip submit suggest summarise summarize supply suppress surface surround
  switch take tell terminate think throw tokenize track translate treat trim trust try turn type understand uninstall unless
  update uppercase use utilise utilize validate verify view visit wait walk warn watch weigh work wrap write
`);

/** Verbs that are nouns as well: an order unless what follows makes a noun of them. */
const NOUNS = list(`
  answer balance benchmark call challenge change chart check code comment commit compress contact contrast
  control count credit cross-check date debug default design detail display document end estimate export favour favor file filter
  focus format function group guess import index input inquire interview issue itemise itemize judge label limit link
  list log mark match model monitor name note number order outline output page pair plan play point post
  probe profile prompt query question quiz rank rate record release reply report request reset review role-play sample
  schedule score search sign sketch sort source stage start state step stop structure subtract sum summary support tag target
  test time title total trace trigger value vary version work return use update run show set process
`);

/** Between the beginning of a sentence and its order. */
const LEAD = String.raw`(?:(?:please|kindly|then|now|first|second|third|next|finally|lastly|also|and|but|so|or|otherwise|instead|always|just|simply|carefully|briefly|clearly|immediately|only|strictly|politely|explicitly|silently|still|again|therefore|thus|however|meanwhile|afterwards|in short|at least|to do so|if so|if not|in that case|by default|in addition|where possible|if possible|when possible|whenever possible|if needed|if necessary|when in doubt|when unsure|if unsure|if in doubt|step by step|everyone|gently|promptly|quietly|actively|periodically|regularly|manually|directly|concisely|faithfully|thoroughly|fully|never mind and)[,:]?\s+)*`;
const CONDITION = String.raw`(?:if|when|whenever|once|while|where|wherever|before|after|until|unless|for|in|on|at|as|with|within|upon|during|given|because|since|to|by|from|under|instead of|rather than|in case|should|whatever|whichever|however|regardless|depending|based|using|without|despite|at the end|outside|beyond|between|besides|above|below|even|every|each|prior to|against|across|through|only|due|because of)\b`;

const START = pattern(
  String.raw`^${LEAD}(?:(?:${PLAIN})\b(?!\s*[-:=]\s*\S*$|['’])|(?:${NOUNS})\b(?!\s+(?:is|are|was|were|has|have|had|of|may|can|will|cannot|does|do|did|includes?|contains?|shows?|comes?|needs?|means|values?|cases?|types?|codes?|marks?|rates?|results?|names?|numbers?|plans?|formats?|options|history|status|coverage|pass(?:es|ed)?|failed|began|took)\b|['’]s\b|\s*[:=]|\s*$))`,
);
const BEHIND = pattern(
  String.raw`^(?:${LEAD}${CONDITION}.*?(?:,|\bthen\b|—|–|:)|[^,:]{1,60}(?::|—|–))\s*(?:and\s+|then\s+)?(.+)$`,
);
/** A noun with its verb: what begins like an order is a subject. */
const SUBJECT = pattern(
  String.raw`^(?:${NOUNS})\s+(?:[\p{L}-]+\s+){0,2}(?:is|are|was|were|has been|have been|does not|do not|did not|may|might|will)\b`,
);
/** These open no subject. */
const SURE =
  /^(?:please|always|only|then|also|if|ensure|make|keep|do|be|let|give|tell|ask|explain|write|say|think|remember|assume|treat|leave|include|provide|use|follow|respond|describe|mention|read|choose|take|put|verify|confirm|avoid|wait|refuse|decline|check (?:that|whether|if)|note (?:that|whether|which)|list|state|cite|add|remove|apply|see|find|identify|show (?:the|your|all|only)|answer (?:in|with|only|every|each|all|the|as)|report (?:the|every|any|all|what|back)|stop (?:if|when|as|and|after|before|once)|mark (?:the|every|each|any|all)|name (?:the|every|each|any|all)|return (?:the|a|an|only|your|all|every|json|nothing|exactly))\b/;

const YOU =
  '(?:you|agents?|the agent|the assistant|assistants?|the reviewer|reviewers?|the implementer|the orchestrator|subagents?|the bot|workers?|the planner|everyone|anyone|we|callers?|users?|clients?|engineers?|contributors?|members|guests|staff|nobody|no one|none of you|visitors|customers|employees|developers|operators?)';

export const ENGLISH: Language = {
  known: everyWord(
    list(
      "the a an and or of to in out than once more but don[’']t isn[’']t is are be you your it this that with for on not if when do does must should never always only any all each every by from as at no use have has can will may",
    ),
  ),
  harmless: pattern(
    [
      words(
        "(?:do|does|did|will|would) ?(?:n['’]t|not) (?:ever |always |really |strictly )?(?:need|have) to",
        "(?:do|does|did) ?(?:n['’]t|not) need",
        "(?:don['’]t|do not) (?:worry|hesitate|mind)",
        "need(?:n['’]t| not)",
        '(?:this|that|it|there|he|she|they) must be (?:the|a|an|here|there|why|how|some)',
        String.raw`(?:the|of|grape|this) must(?= \p{L}+s\b)`,
        'should (?:arrive|rain|be (?:fine|ready|here|back|over|enough|done by|available (?:soon|by))|take (?:about|around|only)|work fine)',
        "(?:there (?:is|['’]s) )?no (?:need|obligation|requirement|reason|duty|rush|hurry) (?:to|for|that)",
        "(?:are|is|am|['’]re) under no obligation",
        String.raw`(?:is|are|was|were)? ?(?:not|n['’]t|never|no longer|hardly|rarely) (?:\S+ )?(?:required|necessary|mandatory|obliged|obligatory|compulsory|essential|needed|expected|supposed|forced|bound)(?: to)?`,
        "(?:isn|aren|wasn|weren)['’]t (?:required|necessary|mandatory|obliged|obligatory|needed|expected|forced)(?: to)?",
        String.raw`no (?:\S+ ){1,2}(?:is|are) (?:required|needed|necessary)`,
        'without (?:having|needing) to',
        '(?:had|having|has had|have had) to',
        String.raw`never mind(?: the \S+)?`,
        'never (?:before|again had|ever before)',
        String.raw`must(?: not)? have (?:been|\p{L}+ed|had|gone|come|taken|left)`,
        String.raw`(?:if|in case|lest)(?: \S+){1,4} should`,
        String.raw`^should(?= \S+.*,)`,
        "(?:can|could|would|did|does|do|will)(?:['’]t|n['’]t| not) help but",
        String.raw`if (?:you|\S+) (?:do not|don['’]t|cannot|can['’]t|must|should|need to|have to)`,
        String.raw`(?:when|while|where|whenever|because|since|that|which|who|whom|what|whatever|unless|until|as) (?:you|we|they|it|he|she|i|\S+ \S+) (?:do not|don['’]t|does not|doesn['’]t|cannot|can['’]t|can not|could not|never|need to|needs to|have to|has to)`,
      ).source,
    ].join('|'),
    'g',
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            '(?:must|shall|should|ought|are|is|were) (?:not|never)(?: to)(?: be)?',
            String.raw`(?:make sure|make certain|be sure|be careful|take care|ensure|see)(?: that)? (?:you )?(?:not to|never|no\b|nothing|do not|don['’]t)`,
            "(?:must|shall|should)(?:n['’]t| not| never|nt)",
            '(?:must|shall|should|may|can|will) (?:under no|in no|at no|on no)',
            `${YOU} (?:may|can|will|could) ?(?:not|never)`,
            `${YOU} (?:can|won)['’]?t`,
            String.raw`may (?:not|never)(?: ever)? be (?:\p{L}+ed|shown|given|sent|written|told|made|read|put|run|kept|sold|taken|said|held|left)`,
            '(?:under|in) no (?:circumstances?|case|event|situation)',
            '(?:at no (?:time|point)|on no account|by no means allowed)',
            '(?:is|are|remains?|be) (?:strictly |expressly |absolutely |explicitly )?(?:forbidden|prohibited|disallowed|banned|off[- ]limits|unacceptable|out of bounds|taboo|barred)',
            "(?:is|are|be|remains?)(?: not|n['’]t) (?:ever )?(?:allowed|permitted|acceptable|tolerated|welcome|authorised|authorized|an option|to be)",
            '(?:not|never) (?:allowed|permitted|authorised|authorized) to',
            'you are not to',
            "(?:not|n['’]t) (?:allowed|permitted|acceptable)",
            '(?:strictly|expressly|absolutely) (?:forbidden|prohibited)',
            String.raw`no(?:body|t one| one|ne)? (?:\S+ ){0,4}(?:may|must|should|shall|can|is to|are to|is allowed|are allowed|is permitted|are permitted)`,
            '(?:you|and|but|or|to|must|should|shall|will|also|please|then|i|we) never',
            String.raw`you(?:['’]d)? (?:should|must|need to|have to|ought to|had|are to)?(?: \S+)? ?(?:avoid|refrain|abstain)`,
            '(?:must|should|shall|need to|needs to|has to|have to|always|to|please) (?:avoid|refrain|abstain|desist)',
            'neither \\p{L}+ (?:\\S+ ){0,6}?nor \\p{L}+',
            'hands off',
            'zero tolerance',
          ).source,
          String.raw`(?:^|[,;:—–(]\s*|\b(?:please|and|but|or|then|so|also|just|simply|instead|otherwise|ever)\s+)(?:do\s+not|don['’]?t|never|avoid|refrain|abstain|stop\s+\p{L}+ing|cease|forget\s+about|desist|steer\s+clear|resist|withhold|beware)\b(?!-)`,
          String.raw`^(?:absolutely\s+)?no\s+(?!one\b|problem|doubt|matter|idea|longer|worries|wonder|such\b|question|sooner|more than|later than|earlier than|fewer than|less than|other\b.*\b(?:is|are)\b)(?!.*\b(?:is|are|was|were|has|have|had|does|did|found|returned|needed|required|will|answered|came|matched|left|exists?|remains?)\b).+$`,
          String.raw`^nothing\b.*\b(?:may|must|should|shall|leaves|else)\b`,
          String.raw`^not\s+(?:under|in|even|one|a)\s+`,
          String.raw`(?:—|–|:|,)\s*no\s+\p{L}+(?:,? (?:no|or|and) \p{L}+)*[.!]?$`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      pattern(
        [
          words(
            "must(?! ?(?:not|never|n['’]t))",
            'shall(?! ?(?:not|never))',
            String.raw`(?:have|has)(?: \p{L}+ly)? (?:got )?to(?! do with)`,
            String.raw`\p{L}+['’](?:ve|s) got to`,
            String.raw`\p{L}+['’](?:re|s) (?:strictly |absolutely )?(?:required|obliged|obligated|expected|mandatory|essential)`,
            String.raw`(?:you|we|it|they|agents?|all \p{L}+|every \p{L}+|each \p{L}+|the \p{L}+|answers?|replies|\p{L}+s)(?: will)? needs? to`,
            'needs? to be',
            String.raw`needs? (?:at least|exactly|a|an|two|one) (?=.*\b(?:before|first)\b)`,
            String.raw`(?:is|are|be|was|remains?) (?:strictly |absolutely |always |also )?(?:required|mandatory|obligatory|compulsory|essential|imperative|vital|crucial|critical|necessary|non-negotiable|indispensable|obliged|obligated|bound to|expected to|supposed to|responsible for \p{L}+ing)`,
            String.raw`(?:required|mandatory|obligatory|compulsory)(?=\s*(?:[.!]|$|:))`,
            'you are (?:always )?to(?! be (?:found|seen))',
            String.raw`(?:is|are) (?:always )?to be (?:\p{L}+ed|\p{L}+en|sent|kept|made|put|read|shown|built|held|left|told|run)`,
            "(?:it is|it['’]s) (?:your|the agent['’]s|the reviewer['’]s) (?:job|duty|responsibility|task|role) to",
            'your (?:only |main |first |sole |primary )?(?:job|duty|responsibility|task|role|goal|mission|objective) is to',
            '(?:be sure|make sure|make certain|see to it|take care|be certain|be careful)(?: to| that|,)?',
            String.raw`you will (?:always |only |then |first )?(?!be\b|see\b|receive\b|get\b|find\b|have\b|not\b|never\b|notice\b|hear\b|encounter\b|learn\b|likely\b|probably\b|work\b|often\b|usually\b|sometimes\b|meet\b|need\b|also\b|know\b)\p{L}+`,
            'you always(?! (?:have|get|see|find|know|win|were|had))',
            "(?:it is|it['’]s) (?:essential|imperative|vital|crucial|critical|mandatory|necessary|important)(?: that| to)",
            'without (?:exception|fail)',
            'no matter what',
            'at all times',
            'a must',
            'insist on',
          ).source,
          String.raw`^(?:always|only)\s+(?!\p{L}+(?:s|ed)\s+(?:has|have|was|were|is|are)\b)`,
          String.raw`(?:,|;|:|—|–|\band|\bbut|\bthen)\s+always\s+\p{L}+`,
          String.raw`^only\b.*\b(?:may|can)\b`,
          String.raw`\bmay only\b|\bcan only be\b`,
        ].join('|'),
      ),
    ],
    [
      'SHOULD',
      words(
        'should',
        'ought to',
        '(?:you )?prefer(?:ably)?(?! ?(?:to be called))',
        String.raw`(?:is|are|be) (?:strongly |highly |generally )?(?:recommended|preferred|advisable|advised|encouraged|preferable|desirable|suggested|a good idea|good practice|best practice|best|better|wise|worth|helpful to|useful to)(?! by \p{L}+ ?$)`,
        'we (?:strongly )?(?:recommend|suggest|advise|encourage)',
        'recommended',
        'ideally',
        '(?:try|aim|strive|endeavou?r|attempt)(?: hard)? (?:to|for|not)',
        'do your best',
        'lean towards?',
        'consider',
        'favou?r',
        "(?:had|you[’']d) better",
        "(?:it is|it[’']s|would be) (?:usually |generally |often )?(?:best|better|wise|good practice|advisable|a good idea|worth|helpful|sensible)",
        'better to',
        'best practice is',
        'good practice',
        'rule of thumb',
        'might want to',
        'may want to',
        'err on the side',
        'best to',
      ),
    ],
  ],
  isOrder: (sentence) => {
    const behind = BEHIND.exec(sentence)?.[1];
    if (behind !== undefined && START.test(behind) && (SURE.test(behind) || !SUBJECT.test(behind)))
      return true;
    return START.test(sentence) && (SURE.test(sentence) || !SUBJECT.test(sentence));
  },
  titles: {
    NEVER:
      /^(?:never|must not|do not|don['’]t|don['’]ts|forbidden|prohibited|not allowed|avoid|you must not|you must never|things to avoid)$/,
    MUST: /^(?:always|must|required|do|dos|requirements?|rules|you must|you must always|mandatory|obligations)$/,
    SHOULD: /^(?:should|recommended|recommendations|prefer|you should|guidelines|best practices|advice)$/,
  },
};
