import { everyWord, type Language, list, pattern, words } from './language.js';

/** Informal orders, singular and plural; formal ones are known by their `Sie`. */
const ORDERS = list(`
  achte achtet analysiere analysiert antworte antwortet arbeite arbeitet aktualisiere aktualisiert beachte beachtet beantworte
  beantwortet bearbeite befolge befolgt beginne beginnt begründe begründet behalte behaltet behandle behandelt beherzige benenne
  benutze benutzt berechne berechnet berichte berichtet berücksichtige berücksichtigt beschränke beschränkt beschreibe beschreibt
  bestätige bestätigt bewahre bewahrt bewerte bewertet beziehe bezieht bitte bleib bleibe bleibt denk denke denkt dokumentiere
  dokumentiert drücke entferne entfernt entscheide entscheidet entwickle ergänze ergänzt erkläre erklärt erläutere erläutert
  ermittle erstelle erstellt erwähne erwähnt erzeuge erzeugt extrahiere extrahiert fass fasse fasst fass filtere formatiere formatiert
  formuliere formuliert frag frage fragt führe führt füge fügt gehe geh geht gib gebt gliedere halte haltet handle hilf helft
  hole höre ignoriere ignoriert informiere informiert identifiziere klassifiziere kennzeichne kläre klärt konzentriere kopiere korrigiere
  kürze lass lasse lasst lege legt lehne lehnt leite leitet lies lest liefere liefert liste listet lösche löscht markiere markiert
  melde meldet merke mach mache macht nenne nennt nimm nehmt nutze nutzt notiere öffne ordne passe plane prüfe prüft protokolliere
  protokolliert priorisiere rechne rede respektiere rufe ruft sag sage sagt sammle schicke schickt schätze schließe schließt
  schreib schreibe schreibt schütze sei seid sende sendet setze setzt sichere sicher sortiere speichere speichert sprich sprecht
  starte startet stelle stellt stell stimme strukturiere stütze suche sucht teile teilt teil trage trenne triff übergib übernimm
  übersetze übersetzt übertrage überprüfe überprüft überlege unterscheide unterstütze unterteile untersuche verbessere verfasse
  verfasst vergiss vergewissere vergewissert vergleiche verhalte verlass verlange vermerke verschiebe verschlüssele versieh verweise
  verweist verwende verwendet wähle wählt wandle warne warnt warte wartet weise weist wende wiederhole wiederholt zähle zeige zeigt
  zerlege ziehe zitiere zitiert
`);
/** An order that no list has: its object stands behind it. */
const OTHER = String.raw`(?!(?:eine|keine|diese|jede|alle|ihre|seine|meine|deine|viele|manche|einige|solche|welche|die|sie|wie|ohne|heute|beide|letzte|erste|unsere|jene|neue)(?!\p{L}))\p{L}{3,}e\s+(?:dich|dir|den|einen|dein|deine|deinen|deiner|jeden|jede|jedes|in die|dafür|darauf|davon|auf|zuerst|bitte|immer|nur|stets|das|eine|ein)(?!\p{L})`;
const LEAD = String.raw`(?:(?:bitte|dann|danach|zuerst|zunächst|anschließend|abschließend|zuletzt|schließlich|außerdem|und|aber|immer|stets|nur|ausschließlich|sonst|andernfalls|stattdessen|erst|jetzt|nun|im zweifel|bei bedarf|falls nötig|wenn möglich|so|auch)[,:]?\s+)*`;
const START = pattern(
  String.raw`^${LEAD}(?:${OTHER}|${ORDERS}(?!\p{L})(?!\s+(?:ich|er|sie es|wir|ihr)\b)|\p{L}+(?:en|eln|ern|ehen|un)\s+sie(?!\p{L})|seien\s+sie)`,
);
const BEHIND =
  /^(?:wenn|falls|sobald|sofern|bevor|nachdem|bei|für|in|im|vor|nach|während|solange|ist|sind|sollte|sollten|wird|werden|hat|haben|fehlt|fehlen|gibt|auf|am|an|mit|ohne|zu|zur|zum|wo|weil|da|um|statt|anstatt|unter|von|kannst|können|weißt|bist|enthält|schlägt|tritt)\b.*?,?\s(?:(?:so|dann)\s+)?(?=\S+)(.+)$/u;
/** A verb behind its condition: the comma, or the part of the sentence that stands before the verb. */
const AFTER = pattern(
  String.raw`(?:,|\bdann|—|–|:)\s*(?:(?:so|dann)\s+)?${LEAD}(?:${ORDERS}(?!\p{L})|\p{L}+(?:en|eln|ern)\s+sie(?!\p{L}))`,
);
const FRONTED = pattern(
  String.raw`^(?:in|im|vor|nach|bei|beim|für|auf|am|an|mit|ohne|zu|zur|zum|aus|jede[nrsm]?|alle[nrsm]?|immer|stets|quellen|am ende|zwischen|unter|über|von)\s(?:[^\s,]+\s){0,6}(?:(?:${list('verwende nutze benutze schreibe antworte prüfe frage gib nenne füge stelle halte lies zeige erkläre markiere melde setze beginne speichere liste zitiere')})(?!\p{L})|\p{L}+(?:en|eln|ern)\s+sie(?!\p{L}))`,
);
/** Orders without a person: `Quellen angeben.` */
const INFINITIVE = pattern(
  String.raw`^(?!.*(?<!\p{L})(?:ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|kann|kannst|können|könnt|darf|darfst|dürfen|dürft|mag|mögen|will|wollen|lässt|wir|ich|er|es)(?!\p{L}))(?:[\p{L}\p{N}“”„"’_-]+[ ,]+){1,12}\p{L}*(?:geben|wenden|prüfen|achten|nennen|schreiben|halten|fragen|setzen|stellen|legen|lesen|führen|fügen|nutzen|antworten|melden|speichern|löschen|fernen|gründen|\p{L}+ieren|zeigen|erklären|machen|lassen|nehmen|sichern|ändern|kürzen|öffnen|schließen|starten|warten|weisen|holen|senden|schicken|teilen|fassen|listen|liefern|gänzen|klären|setzen|bleiben|stützen|folgen|decken|runden|trennen|suchen|arbeiten|sprechen|wählen)[.!]$`,
);

export const GERMAN: Language = {
  known: everyWord(
    list(
      'der die das und oder nicht ist sind du sie dein deine deinen ihre ihr ein eine einen einem einer mit für von auf bei den dem des im zu zur zum wenn falls nur kein keine keinen niemals immer bitte muss musst müssen darf darfst dürfen soll sollst sollte sollten werden wird auch aus nach vor als wie nie stets es man dich dir wir jede jeden jeder jedes alle',
    ),
  ),
  harmless: everyWord(
    String.raw`(?:muss|musst|müssen|müsst|brauchst|braucht|brauchen) (?:\S+ ){0,6}?(?:nicht|kein\p{L}*|nichts) (?:unbedingt |zwingend |extra )?(?:\S+ ){0,3}?(?:zu )?\p{L}+(?=[,.!;]|$)`,
    String.raw`(?:muss|musst|müssen|müsst|brauchst|brauchen) (?:\S+ ){0,4}?nicht(?! (?:nur|mehr als))`,
    String.raw`(?:ist|sind) (?:\S+ )?(?:nicht|keine?) (?:\S+ )?(?:nötig|notwendig|erforderlich|verpflichtend|pflicht|vorgeschrieben|zwingend|verboten)`,
    'nicht (?:nötig|notwendig|erforderlich|verpflichtend|verpflichtet|zwingend)',
    '(?:musste|mussten|musstest|sollte ich|durfte|durften)',
    'wenn du nicht',
    'wenn sie nicht',
    String.raw`(?:wenn|falls|ob|weil|dass|da) (?:\S+ ){1,6}(?:muss|musst|müssen|darf|darfst|soll|sollst|sollte|nicht \p{L}+(?:st|t|en))(?=,)`,
    String.raw`nie (?:dagewesen\p{L}*|zuvor|gesehen\p{L}*)`,
    String.raw`nie endend\p{L}*`,
    'keine sorge',
    'kein problem',
    'kein muss',
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            String.raw`(?:darf|darfst|dürfen|dürft|soll|sollst|sollen|sollte|solltest|sollten|kannst|können sie|wirst) (?:\S+ ){0,8}?(?:nicht|nie|niemals|kein\p{L}*|nichts|keinesfalls|niemandem|keinerlei|weder)`,
            String.raw`(?:nicht|nie|niemals|kein\p{L}*|nichts|keinesfalls|keinerlei) (?:\S+ ){0,6}?(?:dürfen|darf|darfst)`,
            '(?:auf keinen fall|unter keinen umständen|in keinem fall|keinesfalls|zu keinem zeitpunkt|niemals|nirgends|keinerlei)',
            String.raw`(?:ist|sind|bleibt|bleiben|wird) (?:\S+ ){0,5}?(?:verboten|untersagt|tabu|unzulässig|ausgeschlossen)`,
            String.raw`(?:ist|sind|wird|werden) (?:\S+ ){0,5}?(?:nicht|kein\p{L}*) (?:\S+ )?(?:erlaubt|gestattet|zulässig|zugelassen|akzeptabel|toleriert|geduldet|akzeptiert)`,
            '(?:verboten|untersagt|nicht (?:erlaubt|gestattet|zulässig))',
            '(?:vermeide|vermeidet|vermeiden sie|unterlasse|unterlass|unterlassen sie|verzichte|verzichtet|verzichten sie|hüte dich|hüten sie sich|verrate nie)',
            '(?:zu|ist|sind) (?:vermeiden|unterlassen)',
            String.raw`hat (?:\S+ ){0,6}?(?:nichts|nicht) zu suchen`,
            String.raw`(?:ist|sind) nicht zu \p{L}+`,
            'finger weg',
            String.raw`(?:sieh|seht|sehen sie) (?:\S+ ){0,3}?ab`,
          ).source,
          String.raw`^(?:[\p{L}]+\s+){0,2}?(?:${ORDERS}|\p{L}+(?:en|eln|ern)\s+sie)(?!\p{L})(?:[^,;:]|,(?!\s*(?:wenn|falls|dass|ob|weil|sondern|da|was|der|die|das)\b))*?\s(?:nicht|nie|niemals|keine?[nrsm]?|nichts|niemanden|niemandem)(?!\p{L})(?!\s+(?:nur|mehr\s+als))`,
          String.raw`(?:,|:|—)\s*(?:${ORDERS}|\p{L}+(?:en|eln|ern)\s+sie)(?!\p{L})[^,;]*?\s(?:nicht|nie|niemals|keine?[nrsm]?|nichts|niemanden)(?!\p{L})(?!\s+(?:nur|mehr\s+als))`,
          String.raw`^(?:bitte\s+)?(?:keine?[nrsm]?|keinerlei|nie|niemals)\s(?!.*(?<!\p{L})(?:ist|sind|war|waren|hat|haben|wurde|wurden|gibt|fand|kam|wird|weiß|braucht|antwortet|gefunden|passt|können|kann)(?!\p{L}))`,
          String.raw`^\p{L}+e\s+(?:\p{L}+\s+){0,2}?(?:keine?[nrsm]?|nicht|nie|niemals|nichts)(?!\p{L})(?!.*(?<!\p{L})(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|passt|gibt)(?!\p{L}))`,
          String.raw`^(?!.*(?<!\p{L})(?:wurde|wurden|konnte|konnten|gibt|gab|wird|werden|haben|hat|ist|sind|war|waren|kann|können|will|wollte)(?!\p{L}))(?:bitte\s+)?(?:[^,\s]+\s+){0,6}(?:nicht|nie|niemals|keine?[nrsm]?)\s+(?:[^,\s]+\s+){0,4}\p{L}+(?:en|eln|ern)[.!]?$`,
          String.raw`^niemand\b.*\b(?:darf|soll)\b`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      pattern(
        [
          words(
            String.raw`(?:muss|musst|müssen|müsst|hast|haben sie)(?= (?:\S+ ){0,14}?\p{L}+)(?<!hast|haben sie)`,
            String.raw`(?:hast|haben|hat) (?:\S+ ){1,6}zu \p{L}+(?:en|n)`,
            String.raw`(?:ist|sind) (?:\S+ ){0,8}?(?:erforderlich|pflicht|verpflichtend|zwingend|obligatorisch|unerlässlich|notwendig|vorgeschrieben|nötig|verbindlich|unabdingbar)`,
            String.raw`(?:ist|sind) (?:\S+ ){0,8}?zu \p{L}+en`,
            String.raw`(?:ist|sind) (?:\S+ ){0,6}?\p{L}*zu(?:halten|geben|führen|weisen|fügen|stellen|legen|nehmen|schreiben)`,
            String.raw`(?:bist|sind|seid) (?:\S+ )?(?:verpflichtet|angehalten)`,
            '(?:du|sie|agenten|der agent|ihr) (?:soll|sollst|sollen|sollt)(?!te)',
            String.raw`soll(?:en)? (?:\S+ ){0,8}?(?:sein|werden|enthalten|haben|stehen|beginnen|enden)(?=[.!]|$)`,
            '(?:deine|ihre) (?:aufgabe|pflicht) ist (?:es)?',
            '(?:unbedingt|zwingend|ausnahmslos|in jedem fall|auf jeden fall)',
            String.raw`(?:dürfen|darf|darfst) (?:\S+ ){0,6}?(?:nur|ausschließlich|erst|lediglich)`,
            String.raw`nur (?:\S+ ){1,6}(?:darf|dürfen)`,
            '(?:stell|stelle|stellen sie|stellt) sicher',
            'sorge?n? (?:sie )?dafür',
          ).source,
          String.raw`^(?:immer|stets)\s`,
        ].join('|'),
      ),
    ],
    [
      'SHOULD',
      words(
        'sollte',
        'solltest',
        'sollten',
        'solltet',
        'empfohlen',
        'empfiehlt',
        'empfehlen',
        'empfehlenswert',
        'ratsam',
        'idealerweise',
        'am besten',
        'bevorzuge',
        'bevorzugen sie',
        'bevorzugt',
        'vorzugsweise',
        'möglichst',
        'nach möglichkeit',
        'versuche',
        'versuch',
        'versuchen sie',
        'bemühe dich',
        'bemühen sie sich',
        'ziehe (?:\\S+ ){1,6}vor',
        'ziehen sie (?:\\S+ ){1,6}vor',
        'es lohnt sich',
        'lohnt es sich',
        'erwäge',
        'erwägen sie',
        'wäre (?:es )?(?:gut|besser|sinnvoll|hilfreich)',
        'ist es (?:besser|sinnvoll|hilfreich|gut)',
        'es ist (?:besser|sinnvoll|hilfreich|gut)',
        'lieber',
        'tendiere',
        'überlege',
        'überlegen sie',
      ),
    ],
  ],
  isOrder: (sentence) =>
    START.test(sentence) ||
    FRONTED.test(sentence) ||
    (BEHIND.test(sentence) && AFTER.test(sentence)) ||
    INFINITIVE.test(sentence),
  titles: {
    NEVER: /^(?:niemals|nie|verboten|nicht erlaubt|vermeide|du darfst nicht|sie dürfen nicht|verbote)$/,
    MUST: /^(?:immer|pflicht|regeln|anforderungen|du musst|sie müssen|stets|erforderlich)$/,
    SHOULD: /^(?:empfohlen|empfehlungen|du solltest|sie sollten|hinweise)$/,
  },
};
