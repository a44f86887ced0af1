import { everyWord, type Language, list, pattern, words } from './language.js';

/** Orders to one who is known; the polite ones are known by `-ez`. */
const ORDERS = list(`
  adapte adopte affiche agis aide ajoute analyse annonce applique appuie appelle assure attends base cesse cherche choisis cite
  classe commence compare complète comporte concentre conclus confirme conserve consulte continue convertis corrige crée décide
  décompose décris demande détaille détermine donne écris écoute efface effectue emploie enregistre envoie établis évalue
  examine exécute explique exprime extrais fais ferme filtre fournis formate formule garde génère gère identifie ignore indique
  inclus informe insère inspire interroge justifie laisse lance lis liste limite maintiens marque mentionne mesure mets modifie
  montre nomme note observe obéis obtiens offre omets organise ouvre parle pars partage pense place pose prends précise prépare
  présente préserve privilégie procède produis propose protège prouve raccourcis range rappelle rapporte recherche rédige redemande
  réduis reformule refuse regarde regroupe relis remplace rends renvoie repère répète réponds respecte reste résume retire
  retourne réutilise révise sauvegarde sélectionne sépare signale simplifie sois souligne souviens structure suis suggère
  supprime surveille tiens traduis traite transforme transmets travaille trie trouve utilise valide vérifie va veille vois
  teste trace termine tape convertis consigne
`);
const POLITE = String.raw`(?:\p{L}+ez|faites|dites|soyez|ayez|veuillez)(?:-\p{L}+)*`;
const LEAD = String.raw`(?:(?:merci de|prière de|puis|ensuite|enfin|d['’]abord|toujours|alors|et|mais|sinon|aussi|seulement|uniquement|avant tout|en premier|de plus|s['’]il te plaît|s['’]il vous plaît|par défaut|si besoin|si possible|dans le doute|en cas de doute|au besoin)[,:]?\s+)*`;
const VERB = String.raw`(?:${ORDERS}(?:-\p{L}+)*|${POLITE}|\p{L}+-(?:le|la|les|lui|leur|toi|moi|nous|en|y))(?!\p{L}|['’])`;
const START = pattern(String.raw`^${LEAD}(?:ne\s+)?${VERB}(?!\s+(?:est|sont|était)\b)`);
const AFTER = pattern(
  String.raw`^(?:si|s['’]|quand|lorsque|lorsqu['’]|dès|avant|après|pour|en|dans|à|au|aux|pendant|chaque|face|une fois|tant|sauf|sans|selon|sur|avec|lors|jusqu|à moins|afin|devant|de|du|puisque|parce).*?(?:,|:|—|–|\balors)\s*${LEAD}(?:ne\s+)?${VERB}`,
);
/** Orders without a person: `Citer les sources.` */
const INFINITIVE = pattern(
  String.raw`^(?:toujours\s+|bien\s+|merci de\s+)?(?!(?:hier|premier|dernier|papier|fichier|dossier|cahier|utilisateur|moteur|serveur|erreur|valeur|auteur|couleur|plusieurs|noir|soir|miroir|espoir|pouvoir|loisir|plaisir|avenir|souvenir|désir|métier|courrier|entier|particulier|leur|sur|pour|par|car|hiver|mer|fer|cher|tir)(?!\p{L}))(?:se\s+|s['’]|y\s+|en\s+)?\p{L}{2,}(?:er|ir|re|oir)(?:-\p{L}+)?\s(?!.*(?<!\p{L})(?:est|sont|était|étaient|a été|permet|aide|fait|reste|semble|prend|demande|coûte|peut)(?!\p{L}))`,
);

export const FRENCH: Language = {
  known: everyWord(
    list(
      "le la les un une des du de et ou est sont vous tu ton ta tes votre vos ne pas jamais toujours dans pour avec sans sur si que qui il elle doit dois devez doivent faut ce cette ces au aux en par plus aucun aucune être n['’] l['’] d['’] qu['’] s['’] c['’] je nous on chaque tout tous toute toutes ses son sa leur",
    ),
  ),
  harmless: everyWord(
    String.raw`(?:n['’]|ne )\p{L}+ (?:pas|nullement|guère|plus) (?:besoin|obligé\p{L}*|tenu\p{L}*|nécessaire|obligatoire|requis\p{L}*|forcé\p{L}*|indispensable|interdit\p{L}*)(?: d[e'’])?`,
    String.raw`(?:n['’]|ne )(?:es|est|êtes|sont) (?:pas|nullement) (?:\S+ )?(?:nécessaire|obligatoire|requis\p{L}*|obligé\p{L}*|tenu\p{L}*|indispensable|interdit\p{L}*)`,
    '(?:inutile|pas la peine|pas besoin|facultatif|libre à (?:toi|vous)|sans devoir|sans avoir à)',
    String.raw`(?:n['’]hésite\p{L}*|ne vous inquiétez|ne t['’]inquiète) pas`,
    '(?:a|ai|avons|ont|avait|avaient) dû',
    '(?:devait|devaient|fallait|il a fallu)',
    String.raw`jamais (?:vu\p{L}*|atteint\p{L}*|égalé\p{L}*|connu\p{L}*)`,
    'plus que jamais',
    String.raw`(?:si|s['’]il|s['’]ils|si tu|si vous|quand|lorsque|qui|que|parce que) (?:\S+ ){0,3}(?:ne |n['’])\p{L}+ (?:pas|plus|rien|jamais)`,
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            String.raw`(?:ne |n['’])(?:\p{L}+['’ ])?(?:dois|doit|devez|doivent|devons|devrait|devraient|devriez|devrais|peux|pouvez|faut|sera|seront|serez) (?:\S+ ){0,2}?(?:pas|jamais|rien|en aucun cas|aucun\p{L}*|plus|nullement|ni)`,
            '(?:en aucun cas|sous aucun prétexte|en aucune (?:circonstance|façon|manière)|à aucun moment|au grand jamais|jamais de la vie)',
            String.raw`(?:est|sont|reste|restent|demeure) (?:strictement |formellement |absolument |expressément )?(?:interdit\p{L}*|prohibé\p{L}*|proscrit\p{L}*|défendu\p{L}*|exclu\p{L}*|proscrire|bannir|éviter|inacceptable\p{L}*|hors de question)`,
            String.raw`(?:n['’]|ne )(?:est|sont|sera) (?:pas|jamais|nullement) (?:autorisé\p{L}*|permis\p{L}*|admis\p{L}*|acceptable\p{L}*|toléré\p{L}*|accepté\p{L}*)`,
            "(?:évite|évitez|éviter|abstiens-toi|abstenez-vous|s['’]abstenir|garde-toi|gardez-vous|cesse|cessez|bannis|bannissez|proscrire|proscris|proscrivez)",
            String.raw`(?:interdiction|défense) (?:\S+ ){0,2}?(?:de|d['’])`,
            '(?:interdit|interdite|interdits|interdites)(?=[.!]|$)',
            'est à (?:éviter|proscrire|bannir)',
            'sont à (?:éviter|proscrire|bannir)',
          ).source,
          String.raw`(?:^|[,;:—–(]\s*|(?<!\p{L})(?:et|mais|puis|alors|toujours|veuillez|de)\s+)(?:surtout[, ]+)?(?:ne|n['’])\s*(?:(?:l|les|la|le|lui|leur|te|vous|t|en|y|me|nous)['’]?\s+)?(?:jamais\s+|pas\s+|rien\s+|plus\s+|en aucun cas\s+)?(?:${VERB})?`,
          String.raw`^(?:jamais\s|pas\s+d[e'’]|aucun|aucune|zéro\s)(?!.*(?<!\p{L})(?:a été|n['’]a|n['’]est|est|sont|ne)(?!\p{L}))`,
          String.raw`^(?:aucun|aucune|nul|personne)\b.*(?:ne|n['’])\s*(?:doit|doivent|peut|sera)`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      words(
        '(?:dois|doit|devez|doivent|devons)',
        '(?:il )?faut(?: que)?',
        String.raw`(?:est|sont|reste|restent) (?:strictement |absolument |toujours )?(?:obligatoire\p{L}*|requis\p{L}*|exigé\p{L}*|indispensable\p{L}*|impératif\p{L}*|nécessaire\p{L}*|essentiel\p{L}*|impérati\p{L}*|primordial\p{L}*)`,
        String.raw`(?:es|êtes|est|sont) (?:tenu\p{L}*|obligé\p{L}*|censé\p{L}*) (?:de|d['’])?`,
        '(?:impérativement|obligatoirement|sans exception|en toutes circonstances|à tout prix)',
        String.raw`(?:assure-toi|assurez-vous|veille|veillez|fais en sorte|faites en sorte|prends soin|prenez soin|n['’]oublie\p{L}* pas|pense à|pensez à)`,
        "(?:as|avez) (?:l['’]obligation|pour (?:mission|tâche|rôle)|le devoir)",
        '(?:ta|votre) (?:tâche|mission) (?:est|consiste)',
        String.raw`(?:est|sont) à (?!(?:la|l['’]|un|une|jour|éviter)\b)\p{L}+(?:er|ir|re)`,
        String.raw`(?:seul|seule|seuls|seules)(?: \S+){1,5} (?:peut|peuvent|est autorisé\p{L}*|sont autorisé\p{L}*)`,
        String.raw`ne (?:peux|peut|pouvez|peuvent) (?:\S+ ){0,3}qu['’e]`,
        "merci d(?:e|['’])",
        "prière d(?:e|['’])",
        'veuillez',
        '(?:tu|vous) (?:réponds|répondras|répondrez|écriras|écrirez|utiliseras|utiliserez|citeras|citerez) toujours',
      ),
    ],
    [
      'SHOULD',
      words(
        'devrait',
        'devraient',
        'devrais',
        'devriez',
        String.raw`(?:est|sont|reste) (?:vivement |fortement )?(?:recommandé\p{L}*|conseillé\p{L}*|préférable\p{L}*|souhaitable\p{L}*|judicieux|suggéré\p{L}*|encouragé\p{L}*)`,
        'recommandé\\p{L}*',
        'préfère',
        'préférez',
        'privilégie',
        'privilégiez',
        'idéalement',
        'de préférence',
        'essaie',
        'essaye',
        'essayez',
        'efforce-toi',
        'efforcez-vous',
        'tâche de',
        'tâchez de',
        'envisage',
        'envisagez',
        'autant que possible',
        'dans la mesure du possible',
        'mieux vaut',
        'il vaut mieux',
        'vaut mieux',
        'il serait (?:bon|utile|préférable|judicieux)',
        "il est (?:bon|utile|préférable|conseillé|recommandé|judicieux) d(?:e|[’'])",
        'nous (?:vous |te )?(?:recommandons|conseillons|suggérons)',
        'gagne(?:s|z|nt)? à',
      ),
    ],
  ],
  isOrder: (sentence) => START.test(sentence) || AFTER.test(sentence) || INFINITIVE.test(sentence),
  titles: {
    NEVER: /^(?:jamais|interdit|interdictions|à éviter|ne jamais|à ne pas faire)$/,
    MUST: /^(?:toujours|obligatoire|règles|exigences|à faire|tu dois|vous devez)$/,
    SHOULD: /^(?:recommandé|recommandations|conseils)$/,
  },
};
