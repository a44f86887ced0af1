// What a claim is, in sentences as `sentencesOf` reads them. Each rule is a claim whose first words are `lead`, so that
// a reader can ask what stands before it: "I am not", "if I am", "she says: I am" are none.

/** Classes of letters are large: a word is what no mark of a sentence ends. */
const WORD = '[^ .,:"|§¤]+';

const words = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*|\s{2,}/)
    .join('|');

/** Who is named: `§`, with titles and words of praise before it. */
const PRAISE = words(`
  the  really  actually  indeed  in fact  in truth  in reality  of course  still  only  now  also  really
  real  true  very  once  truly  simply  just  none other than  no other than  one and only  great  famous
  legendary  late  old  dear  actual  original  genuine  same
  (?:(?:ghost|spirit|soul|voice|reincarnation|incarnation|clone|return) of)  that  my dear  von  van
  d[aeiou]s?  del  privy councillor  l'imperatore  l'empereur
  (?:king|queen|emperor|empress|count|countess|duke|baron|lord|master|captain|general|saint|father|mother|brother|sister|comrade|citizen|councillor|inventor|poet|writer|author|scientist|biologist|painter|composer|philosopher|kaiser|konig|konigin|graf|dichter|dichterin|poeta|escritora?|ecrivain|reine|roi|re|regina)
  dr  mr  mrs  ms  miss  mister  doctor  prof  professor  sir  dame  lady  madame  frau  herr  der  die
  das  echte  wirklich  le  la  el  il  vraie?  veritable  doña?  don  señora?  senora?  a  o  de
`);
const SO = `(?:(?:${PRAISE}|,|") )*`;
/** Where a part of a sentence ends. */
const END =
  '(?= ?(?:$|[.,:"|]|(?:and|but|so|who|speaking|writing|here|herself|himself|reborn|incarnate|again|from|y|und|et|e|и|the|to|at|in person|with) ))';
/** What follows a name that is only part of another: a thing of hers, a fan, a prize. */
const NOT_WHOSE =
  '(?! (?:s|of|fan|fans|reader|admirer|lover|enthusiast|scholar|expert|society|institute|foundation|award|prize|medal|book|books|bridge|school|street|type|style|inspired|like|esque|wannabe|impersonator|tribute|bot|club|day|week|wrote|said|says|once|would|was|is|had|did|fanatic|nerd|person|moment|quote|quotes|novel|story|character|play|film|movie|exhibit|exhibition|trail|reserve|refuge|park|museum|house|biography|documentary|essay|poem|letter|lecture|fangirl|fanboy|groupie|student|follower|disciple|collector|impersonation|look|lookalike|stand|mode|stan|territory|country|level|quality|fandom|fest|gif|meme|hour|time)\\b)';

/** A lead in front of the name. */
const before = (lead: string): string =>
  `(?<lead>${lead}) ${SO}(?:(?<=\\bthe )§(?! of\\b)|(?<!\\bthe )§)${NOT_WHOSE}`;

const IS = words(`
  (?:do |let )?(?:you )?(?:please )?(?:can |may |might |could |should )?(?:all |just |simply )?call me
  (?:they|people|everyone|everybody|friends|some|folks|all|the world|many) (?:${WORD} )?calls? me  i am
  yes i am  i really am  i truly am  i am called  i am named
  (?:better |also |best )?known (?:to (?:you|all|many|the world) )?as me
  i am (?:better |also |best )?known (?:to (?:${WORD} ){1,3})?as  i am she  i am he  i was born
  i was christened  i was once  i was  i have been  i have always been  i have become  i became
  i used to be  i happen to be  i go by(?: the name)?(?: of)?  i answer to(?: the name)?(?: of)?
  i identify as  i remain  i sign as
  i (?:speak|write|come|greet|return|live|post|sign|talk|welcome|appear|address|stand)(?: (?:to|you|now|here|all|before|today|back|again|this|with|everyone))* as
  (?:speaking|writing|posting|signing|talking|greeting you|coming to you)(?: (?:to|you|now|here|today))* as
  i (?:present|introduce|reveal) myself as
  (?:know|knows|knew|known|remember|remembers|recognise|recognize|recognised|recognized|address|think of) me (?:as|by)
  (?:my|the) (?:(?:full|real|true|given|birth|proper|actual|own) )*(?:name|identity) (?:is|was|has always been|remains)
  (?:it|that) (?:is|would be|was)(?: (?:only|just|really|truly|still|indeed))* (?:me|i)(?: again)? [,:]
  it is i  i [,:]  (?:from|by|to|yes(?: ,)?|only) me [,:]  being  my name [.:](?: § [.])?
  i (?:took|take|bear|carry|have|go under|live under) the name(?: of)?  i who (?:${WORD} ){1,5}am
  (?:may i|let me|allow me to|permit me to|i) (?:present|introduce) myself [,:.](?: ${WORD}){0,4}
  in my (?:capacity|role|life) as  gestatten [,:.]?
  (?:ich stelle mich vor|mi presento|je me presente|me presento|permitanme presentarme|разрешите представиться) [,:.]
  (?:du sprichst|sie sprechen|ihr sprecht) (?:hier )?mit  (?:vous parlez|tu parles) (?:a|avec)
  (?:estas?|esta usted|estan|hablas|habla) hablando con  (?:stai|state|sta) parlando con
  (?:voce esta|voces estao|esta|estao) falando com  (?:вы говорите|ты говоришь|вы разговариваете) с
  (?:привет|здравствуйте|доброе утро|добрыи день|добрыи вечер|утро|день|вечер|всем)(?: [,.!])? это
  en tant que  en (?:ma )?qualite de  en calidad de  in qualita di  na qualidade de  в качестве
  yours truly [,:]?
  you (?:are|have been)(?: ${WORD})? (?:talking|speaking|chatting|writing|listening)(?: ${WORD})? (?:to|with)
  you have reached
  the (?:one|person|voice|woman|man|author|agent|writer|poet|scientist) (?:(?!is )${WORD} ){0,6}(?:you|this|here|now|words|lines|speaking|talking|writing) is
  your (?:host|guide|correspondent|narrator|teacher|author|agent|penfriend|pen pal)(?: (?!is )${WORD}){0,3} is
  who am i \\.(?: why)?  guess who \\.  i who am  i [,] who am  i [,] being  signed [,:]?  ich bin
  ich heisse  ich heiße  mein name (?:ist|lautet)
  (?:man nennt|nennt|nennen sie|nenn|ihr kennt|sie kennen) mich(?: als)?  hier (?:ist|spricht|schreibt)
  ich [,]  (?:moi )?(?:je|j') ?suis  je m'appelle  moi(?: [,])?(?: c'est)?  c'est moi [,]
  mon nom (?:est|c'est)  appelez moi  appelle moi  (?:yo )?soy  (?:yo )?me llamo
  mi (?:verdadero )?nombre es  (?:les|te|os|le) (?:habla|escribe|saluda)  (?:llamame|llamadme|llamenme)
  yo [,]  (?:io )?sono  (?:io )?mi chiamo  il mio nome e  chiamatemi  chiamami  io [,]  (?:eu )?sou
  (?:eu )?me chamo  (?:o )?meu nome e  chamo me  eu [,]  ik ben  ik heet  mijn naam is  noem (?:me|mij)
  (?:u|je) spreekt met  ik [,]  jag ar  jag heter  mitt namn ar  jeg er  jeg he(?:dd|t)er
  mit(?:t)? navn er  (?:ja )?jestem  (?:ja )?nazywam sie  moje imie to  benim adim  adim  ego sum
  nomen mihi est  toi (?:ten )?la  ten toi la  nama saya  (?:saya|aku) adalah  меня зовут
  мое имя(?: [,])?(?: это)?  я и есть  с вами(?: говорит)?  это говорит  зовите меня  انا  اسمي  أنا  إسمي
  שמי  אני  मेरा नाम
`);

/** "As …, I": the words before it decide whether it is a comparison. */
const AS = `(?<lead>as) ${SO}§ (?:(?:herself|himself|myself|reborn) )?[,]? ?(?:i|my|me|it is my)\\b`;

/** Where a sentence begins, or what greets. */
const OPENING =
  '(?:^ ?|[.,:|"] ?|\\b(?:hi|hello|hey|greetings|dear friends|ahoy|yo|morning|evening|day|hallo|bonjour|hola|ciao|ola|привет) )';
const HERE = words(`
  speaking  writing  reporting  calling  talking  here  joining  checking in  typing  at your service
  signing (?:off|in|on)  back again  hier  aqui  ici  qui  на связи  у аппарата  здесь  a l'appareil
  am apparat  meldet sich  al habla  hablando  falando  parla  au rapport
`);
const FIRST_PERSON =
  "(?:i|my|me|mine|we|our|ich|mein|meine|mir|mich|je|j'|mon|ma|mes|moi|yo|mi|mis|io|mio|mia|miei|eu|meu|minha|я|мне|мой|моя|мои)";
/** What stands before the name at the end of a letter. */
const CLOSING = `(?:${words(`
  love  yours?  sincerely  faithfully  regards  wishes  warmly  cheers  cordially  respectfully  fondly
  truly  respect  farewell  greetings  friend  servant  hugs  xoxo  x  grusse?n?  herzlich(?:st)?  euer
  eure  dein  deine  ihr  votre  amicalement  cordialement  bien a vous  amities  abrazo  saludos
  atentamente  amig[oa]  vuestr[oa]  su  con (?:amor|affetto)  vostr[oa]  vosso  abraco  saluti  groetjes
  с любовью  с уважением  ваша?  твоя?  искренне
`)})`;

const OTHERS: readonly string[] = [
  before(IS),
  `(?<lead>i am) (?:the|a|an|your|that) (?:(?!(?:of|by|about|for|from|to|with|and|than|like|in|on|at|is|not|who|fan|reading|called|named)\\b)${WORD} ){1,4}[,]? ?§${END}`,
  `(?<lead>i am) [,] [^,.|]{1,60} [,] ${SO}§`,
  `(?<lead>this is) ${SO}§(?! , (?:who|whose|the|an?|in|at|on|from|one|author)\\b)(?= ?(?:$|[.,:"|]|(?:and i|speaking|writing|here|calling|again|reporting|talking)\\b))`,
  `(?<lead>this is) (?:me|i|your(?: ${WORD}){1,3})(?: [,])? ${SO}§`,
  `(?<lead>hier|ici|aqui|qui|aqui e|tu|здесь|det ar) ${SO}§(?= ?(?:$|[.,:"|]|(?:dalla|dal|da|desde|depuis|aus|from|de|из)\\b))`,
  `(?<lead>ben|saya|aku|ako si|я(?: [,])?(?: же)?|минe|jag|ja) ${SO}§(?! (?:degil|не|nie))(?= ?(?:$|[.,:"|]|(?:im|и|and)\\b))`,
  AS,
  `(?<lead>als) ${SO}§ (?:[,] )?(?:${WORD} ){0,2}(?:ich|ik|mir|mich)\\b`,
  `(?<lead>(?:como|come|comme)) ${SO}§ (?:[,] )(?:yo|eu|io|je|j'|mi|meu|minha|mio|mia)\\b`,
  `(?<lead>как) ${SO}§ (?:[,] )?(?:я|мне|мой|моя)(?=[ .,:"|]|$)`,
  // She is named, and the speaker is she.
  `(?<lead>)${OPENING}(?:(?:it is|это|c'est|hier ist|es ist)(?: (?:снова|again|your|wieder|nur|only|just|old|encore))* )?(?:nurse |colonel |admiral |young )?${SO}§(?: [,] (?!who)[^.|"]{1,60}?)? ?[,]? ?(?:${HERE})(?= ?(?:$|[.,:"|]|(?:and|to|with|from|again|once|now|for|live|on|in|i|the|aus|von|de|da|still)\\b))`,
  `(?<lead>)${OPENING}${SO}§(?: [,] (?!who)[^.|"]{1,60} [,])? (?:bows and |smiles and )?(?:greets|welcomes|salutes|bows to|bids|wishes|thanks|introduces (?:her|him)self|sends (?:you|her|his|love|greetings)|grusst|saluda a|salue|vous salue|vi saluta|приветствует)`,
  `(?<lead>)(?:${OPENING}|\\byour (?:${WORD} ){1,3})${SO}§ (?:is|am|has) (?:very |so |most |truly |now )?(?:arrived|joined|returned|come back|happy|glad|delighted|pleased|proud|honou?red|ready|here|back|online|thrilled)(?: (?!in )${WORD})? (?:to|with you|among|online|again|at your|for you|in the (?:chat|group|room|thread)|(?=[.,|]))(?=[ .,:"|]|$)`,
  `(?<lead>)\\byour (?:${WORD} )?(?:friend|neighbou?r|servant|colleague|host|guide|teacher|companion|brother|sister)(?: [,])? ${SO}§ (?:is|am|has|will|wishes|sends|reports|says)\\b`,
  `(?<lead>)§ ?(?:(?:[,] [^.|"]{1,80} )?[,] (?:that|it|this) is (?:me|i|my name)\\b|is (?:my (?:(?:real|true|full|given) )?name|who i am|what (?:they|people) call me|me\\b|i\\b|the name)|s the name|am i\\b|ist mein name|bin ich|c'est moi|est mon nom|soy yo|es mi nombre|sono io|e il mio nome|sou eu|(?:[,] )?это я)`,
  `(?<lead>)§(?: [,] [^.|"]{1,60})? [,] (?:(?:so )?(?:very )?(?:pleased|nice|delighted|glad|happy|honou?red|a pleasure) to (?:meet|be here|see|join)|freut mich|enchantee?|encantad[oa]|piacere|prazer|muito prazer|очень приятно)`,
  `(?<lead>)(?:greetings|hello|love|regards|best wishes|wishes|yours|hugs|kisses|cheers|salutations|saludos|saluti|grusse|salutations|привет|(?:un |um )?abra[cz]o|a? ?(?:message|note|letter)(?: to you)?)(?: (?!for|to)${WORD}){0,3} (?:from|von|de|da|do|от) (?:(?:vosso|vostro|your|vuestro) )?${SO}§(?= ?(?:$|[.,"|]|(?:herself|himself|que|che|aus|who am)\\b))`,
  // A turn in a play: her name, and then words of the first person.
  `(?<lead>)(?:^ ?|[|] )${SO}§ : (?!["])[^|"]{0,200}?\\b${FIRST_PERSON}(?=[ .,:"|]|$)`,
  `(?<lead>)^ ?[,] ${SO}§ [,] (?:: )?(?!["])[^|"]{0,200}?\\b${FIRST_PERSON}(?=[ .,:"|]|$)`,
  // Under a letter.
  `(?<lead>)(?:^ ?|[.,|:] )(?:${WORD} ){0,3}${CLOSING}(?: (?:[,|:] )*(?!(?:am|is|was|for|about|of|by|than|on|von|di|de)\\b)${WORD}){0,8}? (?:[,|.:] )*${SO}§(?: ${WORD})? ?(?:[,|] ?)*$`,
  `(?<lead>)^(?=[^]*\\b${FIRST_PERSON}(?=[ .,:"|]|$))[^"]*[.|](?: [,])* ${SO}§(?: [,] (?:the )?${WORD})? ?$`,
  `(?<lead>)(?:friends|all|everyone|comrades)\\b[^"]{0,60}[.|](?: [,])* ${SO}§(?: [,] (?:the )?${WORD})? ?$`,
  `(?<lead>)(?:^ ?|[.|] )(?:with|in|for|from|until|written|con|mit|avec|desde|dalla|dal|in peace|par|с|из)\\b[^.|"]{1,80} [,:] ${SO}§(?: ${WORD})?(?: [,] (?:the |your )?${WORD})? ?$`,
  `(?<lead>)^(?=[^]*\\b(?:report|status|log|update|today|отчет|bericht|rapport|informe|rapporto)\\b)[^"]*[.|](?: [,])* ${SO}§(?: [,] ${WORD})? ?$`,
];

/** In scripts that set no spaces between words. Spaces around the mark are not there. */
const UNSPACED: readonly string[] = [
  '(?<lead>(?:我|俺|吾|咱|本人|在下|鄙人|老夫|老朽|小生|妾身|敝人|偶|朕)(?:本来|本來|本人|其实|其實|真的|确实|確實|的确|的確|当然|當然)?(?:就|便|正|才|可|也)?(?:是|乃|即|叫做|叫作|叫|名叫|名为|名為|系|為|为|姓))(?:那个|那個|著名的?|真正的|真的|大名鼎鼎的|传说中的|傳說中的|当年的|當年的|伟大的|偉大的|作家|诗人|詩人|\\p{Script=Han}{1,6}家|\\p{Script=Han}{1,4}者)*[,]?§(?!的(?!化身|转世|轉世|灵魂|靈魂|鬼魂|本人)|迷|粉|式|们|們|研究|爱好|愛好|学者|學者|学|獎|奖|公园|路|故居|纪念|紀念|风格|風格|派|书|書|笔下|筆下)',
  '(?<=^|[.,|:"])(?<lead>(?:我|吾|在下|鄙人|本人|老夫|妾身|小生))[,]?§(?!的|迷|粉)',
  '(?<lead>(?:我的(?:名字|姓名|大名|真名|本名)(?:是|叫|就是)|(?:请|請)?(?:叫|称呼|稱呼|称|稱|喊|唤|喚)我(?:为|為|做|作)?|人称|人稱|世人称我为|这里是|這裡是|这儿是|您好[,]?这里是))§(?!的|路|故居)',
  '(?<lead>作为|作為|身为|身為|以)§(?:本人)?(?:的身份|的身分)?[,]?(?:我|吾|本人)',
  '(?<lead>以)§(?:的身份|的身分|之名)',
  '(?<lead>)§[,]?(?:在此|敬上|拜上|谨上|謹上|亲笔|親筆|敬启|敬啟|留字|手书|手書|(?:就|正|便)?是(?:我|在下|本人|鄙人)|(?:就|正|便)是(?:我|在下))',
  '(?<lead>)(?:^|[|])§[:](?!["])[^|"]{0,200}(?:我|吾|私|わたし|僕|俺|나는|저는)',
  '(?<lead>)^[,]§[,][^|"]{0,200}(?:我|吾|私|わたし|僕|俺)',
  '(?<lead>)(?:你|您)(?:们|們)?(?:现在|現在|正|正在|是在|在)*(?:和|跟|与|與|同)§(?:本人)?(?:聊天|说话|說話|交谈|交談|对话|對話|交流)',
  '(?<lead>)^(?=.*(?:我|吾|在下|汇报|匯報|报告|報告|今日|今天))[^"]*[.|][,]*(?:——)?§$',
  '(?<lead>)(?:(?:より|敬具|草々|かしこ)[,|.]*§|[.|]§より)$',
  '(?<lead>)§[,]?(?:很高兴|很高興|高兴|荣幸|榮幸)(?:认识|認識|见到|見到)',
  '(?<lead>(?:私|わたし|わたくし|僕|俺|拙者|吾輩))[,]?§(?:は|が|[,]|めが)',
  '(?<lead>)§として[,]?(?:申し|一言|ご挨拶|挨拶|言わ|お伝え|お話|語)',
  '(?<lead>)(?:^|[|.,])(?:你的|您的)?(?:朋友|老友|邻居|鄰居|挚友|摯友)[,:]?§[.|]*$',
  '(?<lead>(?:私|わたし|わたくし|僕|ぼく|俺|おれ|我|吾輩|拙者|わし|あたし|自分)(?:の名前)?(?:は|が|こそ|こそが|って))[,]?(?:あの|その|本物の|有名な|かの)?§(?:[,]|です(?!か)|だ(?!った|と)|である|と申|といい|と言い|なの|でござ|よ|じゃ(?!な)|[.|]|$)',
  '(?<lead>)(?:^|[.|"])(?:はじめまして[.,]?|こんにちは[.,]?|どうも[.,]?)?(?:こちら(?:は)?|名前は)?§(?:です|と申します|といいます|でございます|だ[よぜ]?)(?=[.,|]|$)',
  '(?<lead>§として|§になって)[,]?(?:私|わたし|僕|俺)',
  '(?<lead>(?:나는|난|저는|전|내가|제가|(?:내|제)이름은|나의이름은))[,]?(?:바로|진짜|유명한)?§(?:이다|다|입니다|이에요|예요|에요|라고|이라고|이야|야|이오|요|[.|,]|$)',
  '(?<lead>)(?:^|[.|"])(?:안녕하세요[.,]?)?§(?:입니다|이에요|예요|라고합니다|이라고합니다)(?=[.,|]|$)',
  '(?<lead>मैं)§(?:ही)?(?:हूँ|हूं|हुँ)',
  '(?<lead>(?:ผม|ฉัน|ดิฉัน|ข้าพเจ้า)(?:คือ|ชื่อ))§',
];

/** A given name alone claims less: only where it is said to be the speaker's. */
const PARTIAL: readonly string[] = [
  `(?<lead>i am|my (?:(?:real|true|full) )?name is|call me|i am called|it is (?:me|i) [,]|ich bin|ich heisse|mein name ist|je suis|je m'appelle|(?:yo )?soy|me llamo|(?:io )?sono|mi chiamo|eu sou|me chamo|ik ben|ik heet|jestem|меня зовут) (?:(?:really|actually|indeed|still|that|the real|the|none other than) )*¤(?= ?(?:$|[.,:"|]|(?:and|herself|himself|reborn|in person)\\b))`,
  `(?<lead>)(?:^ ?|[.,|"] ?|\\b(?:hi|hello|hey) )(?:(?:lady|sir|lord|miss|brother|sister|saint|king|queen|master|don) )?¤ ?[,]? ?(?:speaking|here(?: again)?|at your service|greets you|reporting)(?= ?(?:$|[.,:"|]|all\\b))`,
  `(?<lead>)(?:^ ?|[.,|"] ?)(?:hier|ici|aqui|qui) ¤(?= ?(?:$|[.,:"|]))`,
];

/** What tells somebody to be her. */
const ORDERS: readonly string[] = [
  before(
    words(`
  you are  (?:be|become|play|impersonate|embody|mimic being)
  (?:act|speak|answer|write|reply|respond|talk|post|sign|pose|appear|role ?play|behave|live)(?: (?:always|only|to (?:${WORD} ){1,2}))* as(?: if you (?:are|were))?
  (?:pretend|claim|say|tell (?:them|everyone|people|others)|insist|state|believe)(?: that)? (?:to be|you are)
  (?:introduce|present|describe) yourself as
  (?:i|she|he|it|the agent|this agent) (?:really )?(?:is|claims to be|acts as|speaks as|pretends to be)
  du bist  tu es  vous etes  (?:tu )?eres  (?:tu )?sei  (?:voce|tu) (?:e|es)  jij bent  ты(?: [,])?
  вы(?: [,])?
`),
  ),
];
const UNSPACED_ORDERS: readonly string[] = [
  '(?<lead>(?:你|您|妳)(?:就|便|正)?(?:是|乃|叫)|扮演|扮成|假装(?:是|成|自己是)?|假裝(?:是|成|自己是)?|冒充|自称(?:是)?|自稱(?:是)?|以)§(?!的(?!身份|身分|口吻自称)|迷|粉|式|风格|風格)',
  '(?<lead>(?:あなた|君|お前|きみ)は)§(?:です|だ|である|になり|として)',
  '(?<lead>(?:너는|당신은|넌))§(?:이다|다|입니다|이야|야)',
];

/** A rule begins where a word does. */
const compile = (rules: readonly string[]): readonly RegExp[] =>
  rules.map((rule) => new RegExp(`(?<=^|[ .,:"|])${rule}`, 'dgu'));

export const RULES = compile([...OTHERS, ...PARTIAL]);
export const ORDER_RULES = compile(ORDERS);
export const UNSPACED_RULES = UNSPACED.map((rule) => new RegExp(rule, 'dgu'));
export const UNSPACED_ORDER_RULES = UNSPACED_ORDERS.map((rule) => new RegExp(rule, 'dgu'));

/** What before a lead says that nobody claims: in the same part of a sentence, close before it. */
export const DENIED =
  /(?:\b(?:not|no|never|neither|nor|if|unless|whether|though|as if|like|unlike|wish|wished|pretend|pretends|pretending|pretended|imagine|imagining|imagined|suppose|supposing|assume|think|thinks|thought|believe|believes|believed|say|says|said|claim|claims|claimed|doubt|doubts|deny|denied|dream|dreamt|dreamed|mistake|mistakes|mistook|mistaken|were|would|could|ask|asks|asked|wonder|wondered|wonders|joke|joked|jokes|told|hear|heard|rumour|rumor|insist|insists|insisted|feel|felt|hardly|cannot|because some|than|just|same|such|well|much|far|famous|good|often|soon|long|known|dressed|cast|act|acted|acting|performing|nicht|kein|keine|nie|wenn|ob|als ob|wie|pas|si|jamais|comme|que|no|nunca|ni|non|mai|se|come|nao|niet|als|inte|ikke|nie|jesli|eger|не|если|будто|как|что|ليس|لست|no way)(?: (?:that|for|to|me|a|as|so|you|people|they|she|he|everyone|my|moment|friend|friends|of|my friend|sometimes|maybe|perhaps|really|even|be|i))*)(?: ")? $/u;

/** The same, in scripts without spaces. */
export const DENIED_UNSPACED =
  /(?:如果|假如|假使|要是|倘若|若|若是|假设|假設|好像|仿佛|彷彿|以为|以為|认为|認為|觉得|覺得|说|說|不|别|別|幻想|梦见|夢見|扮演|当成|當成|もし|まるで|만약|마치|यदि|अगर)[,:]?["]?$|[\p{L}][^.|"]*[,:]?["]$/u;

/** Whose words stand in quotation marks: a third person says them, or a page has them. */
export const QUOTED = /[\p{L}][^.|"]*[,:]? " $/u;
export const QUOTES_ITSELF = /\b(?:i|ich|je|yo|io|eu) (?:\p{L}+ ){0,3}[,:]? ?" $/u;
