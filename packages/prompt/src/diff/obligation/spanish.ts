import { everyWord, type Language, list, pattern, words } from './language.js';

/** Orders, to one who is known and polite. */
const ORDERS = list(`
  abre abra acaba acepta acepte aclara aclare actualiza actualice actúa actúe adapta adapte adjunta adjunte adopta adopte agrega agregue agrupa agrupe
  ajusta ajuste analiza analice anota anote añade añada aplica aplique apoya apoye apunta apunte asegura asegure asegúrate asegúrese
  asigna asigne asume asuma atiende atienda avisa avise ayuda ayude basa base basate básate básese borra borre busca busque calcula calcule cambia cambie
  céntrate céntrese cierra cierre cita cite clasifica clasifique coloca coloque comienza comience compara compare completa complete
  comprueba compruebe comunica comunique conserva conserve considera considere construye construya consulta consulte contesta conteste
  continúa continúe convierte convierta copia copie corrige corrija crea cree cuenta cuente cuida cuide cumple cumpla da dé decide decida
  define defina deja deje deriva derive describe describa detalla detalle detén detenga detente deténgase determina determine devuelve devuelva di diga
  distingue distinga divide divida documenta documente elabora elabore elige elija elimina elimine empieza empiece emplea emplee
  encuentra encuentre enlaza enlace entrega entregue enumera enumere envía envíe escoge escoja escribe escriba escucha escuche
  especifica especifique espera espere establece establezca estructura estructure evalúa evalúe examina examine explica explique
  expresa exprese extrae extraiga evalúa filtra filtre finaliza finalice formatea formatee formula formule genera genere guarda guarde
  habla hable haz haga identifica identifique ignora ignore imprime imprima incluye incluya indica indique informa informe inicia inicie
  inserta inserte interpreta interprete investiga investigue invoca invoque justifica justifique lee lea limita limite limítate limítese limpia limpie lista liste
  llama llame lleva lleve maneja maneje mantén mantenga mantente manténgase marca marque menciona mencione mide mida mira mire modifica
  modifique muestra muestre muéstrate nombra nombre notifica notifique numera numere observa observe obtén obtenga ofrece ofrezca omite omita
  ordena ordene organiza organice pasa pase pide pida piensa piense planifica planifique pon ponga pregunta pregunte prepara prepare presenta presente
  preserva preserve prioriza priorice procede proceda procesa procese produce produzca propón proponga protege proteja proporciona proporcione prueba pruebe publica publique
  realiza realice recoge recoja reconoce reconozca recopila recopile recuerda recuerde redacta redacte reduce reduzca reemplaza reemplace
  reescribe reescriba refiere refiera refiérete refiérase reformula reformule registra registre remite remita repasa repase repite repita reporta reporte resalta resalte resume resuma resuelve resuelva respeta respete
  responde responda restringe restrinja retira retire reutiliza reutilice revisa revise rechaza rechace sal salga sé sea selecciona seleccione separa separe señala señale
  sigue siga simplifica simplifique solicita solicite subraya subraye sugiere sugiera sustituye sustituya tacha tache ten tenga termina termine toma tome
  trabaja trabaje traduce traduzca traslada traslade trata trate transforma transforme ubica ubique usa use utiliza utilice valida valide
  ve vaya vela vele verifica verifique vuelve vuelva comparte comparta confirma confirme encárgate encárguese dirígete diríjase
  cerciórate cerciórese redondea redondee infórmate exige exija apóyate guíate guíese cíñete cíñase abrevia abrevie
`);
const LEAD = String.raw`(?:(?:por favor|luego|después|primero|entonces|siempre|y|pero|también|además|solo|sólo|únicamente|finalmente|por último|a continuación|en su lugar|si no|si es posible|si hace falta|en caso de duda|ante la duda|por defecto)[,:]?\s+)*`;
const VERB = String.raw`(?:${ORDERS}|\p{L}*[áéíóú]\p{L}+(?:lo|la|los|las|le|les|te|me|nos|se))(?!\p{L})`;
const START = pattern(String.raw`^[¡]?${LEAD}${VERB}(?!\s+(?:es|son|era|está|están|fue)\b)`);
const AFTER = pattern(
  String.raw`^(?:si|cuando|cada|antes|después|para|en|al|tras|una vez|mientras|ante|con|sin|salvo|a menos|de|por|según|durante|hasta|donde|desde|como|sobre|aunque|dado|puesto|bajo|a).*?(?:,|:|—|–|\bentonces)\s*${LEAD}${VERB}`,
);
const INFINITIVE = pattern(
  String.raw`^(?!(?:lugar|hogar|bar|mar|par|azar|mujer|ayer|placer|taller|alquiler|poder|ser|deber)(?!\p{L}))\p{L}{2,}(?:ar|er|ir|arse|erse|irse)(?:lo|la|los|las|le|les)?\s(?!.*(?<!\p{L})(?:es|son|era|fue|está|permite|ayuda|puede|requiere|cuesta|resulta|suele|significa|lleva)(?!\p{L}))`,
);

export const SPANISH: Language = {
  known: everyWord(
    list(
      'a el la los las un una unos unas de del y o es son que no si con para por en tu tus su sus usted se lo al nunca siempre debe debes deben cuando cada antes después como más sin sobre hay ni ser está este esta estos estas solo sólo ha han le nos jamás pero ningún ninguna',
    ),
  ),
  harmless: everyWord(
    String.raw`no (?:es|son|está|resulta) (?:\S+ )?(?:necesari\p{L}*|obligatori\p{L}*|requerid\p{L}*|imprescindible\p{L}*|precis\p{L}*|preciso|prohibid\p{L}*|obligad\p{L}*)`,
    String.raw`no (?:hace falta|hay (?:por qué|necesidad|obligación)|tienes? (?:que|por qué)|tienen (?:que|por qué)|necesitas?|necesitan?|estás obligad\p{L}*|está obligad\p{L}*|hay que preocuparse)`,
    '(?:sin (?:tener que|necesidad de|deber))',
    'no (?:dudes|dude|te preocupes|se preocupe|pasa nada)',
    '(?:tuvo|tuvimos|tuve|tuvieron|tenía|tenían|hubo) que',
    '(?:debía|debían|debió)',
    String.raw`(?:debe|deben)(?: de)? (?:ser las|de ser|haber \p{L}+(?:ado|ido|cho|sto)|estar (?:en|por))`,
    '(?:debe|deben) de',
    'como nunca',
    String.raw`nunca (?:antes|vist\p{L}*)`,
    String.raw`(?:si|cuando|que|porque|quien|mientras|donde|aunque) (?:\S+ ){0,2}?no \p{L}+`,
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            '(?:no|nunca|jamás|tampoco) (?:se |lo |la |los |las |le |les |te |nos )?(?:debe|debes|deben|debéis|debería|deberías|deberían|puedes|podéis|podrás|deberá|deberás|deberán|ha de|has de|han de|hay que)',
            '(?:usted|ustedes|agentes?|asistente|nadie|usuarios?|empleados?) no (?:puede|pueden|podrá|podrán)',
            '(?:nunca|jamás) (?:se )?(?:puede|pueden|podrá|podrán)',
            String.raw`no (?:puede|pueden|podrá|podrán) ser \p{L}+`,
            'no se (?:puede|pueden|podrá|podrán)',
            '(?:debe|debes|deben|deberá|deberás) (?:evitar|abstenerse|abstenerte|abstenerme|nunca|jamás)',
            '(?:bajo ningún concepto|bajo ninguna circunstancia|en ningún caso|de ninguna manera|de ningún modo|en ningún momento|por ningún motivo|ni se te ocurra|ni se le ocurra)',
            String.raw`(?:está|están|queda|quedan|es|son) (?:\S+ )?(?:prohibid\p{L}*|vetad\p{L}*|vedad\p{L}*|inaceptable\p{L}*|inadmisible\p{L}*)`,
            String.raw`no (?:está|están|es|son|se) (?:\S+ )?(?:permit\p{L}*|autorizad\p{L}*|admit\p{L}*|admisible\p{L}*|aceptable\p{L}*|acepta\p{L}*|tolera\p{L}*|válid\p{L}*)`,
            '(?:evita|evite|eviten|evitar|abstente|absténgase|abstenerse|prohibido|prohibida|prescinde|prescinda|huye|huya)',
          ).source,
          String.raw`(?:^|[,;:—–(]\s*|(?<!\p{L})(?:y|pero|ni|por favor|entonces|luego)\s+)(?:no|nunca|jamás)\s+(?:(?:se|lo|la|los|las|le|les|te|me|nos)\s+){0,2}(?!hay\b|es\b|son\b|está\b|están\b|tiene|existe|era\b|fue\b|se\s+encontr|funciona|puedo|sé\b|ha\b|han\b|obstante|sabe\b|contiene|devuelve\b|responde\b|\p{L}+(?:aba|ían?|ió|ó|aron|ieron)\b)\p{L}+(?:es|as|e|a|en|an|áis|éis|ar|er|ir|as?e|é)(?!\p{L})`,
          String.raw`^(?:nada\s+de|cero|ningún|ninguna|nunca|jamás|sin)\s(?!.*(?<!\p{L})(?:es|son|fue|ha|han|hay|está|tiene|hubo|existe|era|responde|funciona|embargo|duda)(?!\p{L}))`,
          String.raw`^(?:ningún|ninguna|nadie)\b.*\b(?:debe|puede|deberá|podrá)\b`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      words(
        '(?:debe|debes|deben|debéis|deberá|deberás|deberán)',
        '(?:tiene|tienes|tienen|tenéis) que',
        'hay que',
        String.raw`(?:has|ha|han|habéis) de \p{L}+(?:ar|er|ir)(?:se|lo|la|los|las|le|les)?`,
        String.raw`(?:es|son|resulta|sigue siendo) (?:\S+ )?(?:obligatori\p{L}*|necesari\p{L}*|imprescindible\p{L}*|imperativ\p{L}*|indispensable\p{L}*|esencial\p{L}*|preciso|requerid\p{L}*|fundamental\p{L}*|vital\p{L}*)`,
        '(?:obligatoriamente|sin excepción|en todo momento|en todos los casos|sí o sí|sin falta)',
        String.raw`(?:se (?:requiere|exige)n?|está obligad\p{L}*|estás obligad\p{L}*|están obligad\p{L}*)`,
        '(?:tu|su) (?:tarea|misión|deber|función|obligación|trabajo) (?:es|consiste)',
        String.raw`(?:solo|sólo|únicamente)(?: \S+){0,6} (?:puede|pueden|podrá|podrán)`,
        '(?:puede|pueden|puedes|podrás) (?:solo|sólo|únicamente)',
        'no (?:olvides|olvide|olvidar)',
        '(?:asegúrate|asegúrese|cerciórate|cerciórese) de',
        'procede(?:rá|rás)?',
        'responderás|escribirás|usarás|utilizarás|citarás|devolverás|incluirás|seguirás',
      ),
    ],
    [
      'SHOULD',
      words(
        'debería',
        'deberías',
        'deberían',
        'convendría',
        'conviene',
        String.raw`(?:se (?:recomienda|aconseja|sugiere|prefiere)n?|(?:es|sería) (?:\S+ )?(?:recomendable|aconsejable|preferible|conveniente|deseable|mejor|bueno|buena idea|buena práctica|útil))`,
        'recomendamos',
        'recomendable\\p{L}*',
        'aconsejamos',
        'sugerimos',
        'preferentemente',
        'preferiblemente',
        'prefiere',
        'prefiera',
        'idealmente',
        'lo ideal es',
        'de preferencia',
        'intenta',
        'intente',
        'procura',
        'procure',
        'trata de',
        'trate de',
        'considera',
        'considere',
        'en la medida de lo posible',
        'siempre que (?:sea posible|puedas|pueda)',
        'más vale',
        'mejor',
        'valora',
        'valore',
        'esfuérzate',
        'plantéate',
        'opta por',
        'opte por',
        'vale la pena',
      ),
    ],
  ],
  isOrder: (sentence) => START.test(sentence) || AFTER.test(sentence) || INFINITIVE.test(sentence),
  titles: {
    NEVER: /^(?:nunca|prohibido|prohibiciones|no hacer|evita|evitar)$/,
    MUST: /^(?:siempre|obligatorio|reglas|requisitos|debes)$/,
    SHOULD: /^(?:recomendado|recomendaciones|consejos|deberías)$/,
  },
};
