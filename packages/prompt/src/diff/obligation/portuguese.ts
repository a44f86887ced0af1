import { everyWord, type Language, list, pattern, words } from './language.js';

/** Orders, polite and familiar. */
const ORDERS = list(`
  abra aceite acrescente adapte adicione agrupe aguarde ajude ajuste analise anexe anote apague apoie aponte apresente aplique assegure assine assuma
  atenda atribua atualize avalie avise baseie busque calcule certifique chame cheque cite classifique coloque combine comece compare compartilhe partilhe
  complete comunique conclua concentre confirme confira conserve considere construa consulte continue converta copie corrija crie cumpra dê decida defina
  deixe delegue descreva destaque detalhe detecte determine devolva diga distinga divida documente edite elabore elimine empregue encaminhe encerre encontre
  entregue enumere envie escolha escreva escute espere especifique estabeleça estruture evite examine execute exiba explique exponha expresse extraia faça
  fale feche filtre finalize finalise foque formate formule forneça garanta gere grave guarde identifique ignore imprima inclua indique informe inicie insira
  interprete interrompa introduza investigue invoque junte justifique leia leve limite limpe liste localize lembre mantenha marque mencione meça mostre modifique mude
  notifique nomeie numere obedeça observe obtenha ofereça omita ordene organize organise ouça parta passe peça pense pergunte planeie planeje ponha preencha prepare preserve
  prefira priorize procure prossiga produza proponha proteja prove publique realize realce recolha recomende reconheça recuse redija reduza reescreva registe registre rejeite
  releia relate remova renomeie repita reporte represente resolva respeite responda restrinja resuma retire retome retorne reúna reutilize reveja revise rode salve seja
  selecione seleccione separe siga simplifique sinalize solicite substitua sugira sublinhe suponha teste tenha termine tome trabalhe trace traduza transforme trate troque use
  utilize utilizar valide vá veja verifique volte zele cinja baseia-te certifica-te usa escreve responde verifica faz lê mantém cita pergunta explica indica resume
  segue mostra inclui guarda espera devolve traduz evita termina começa confirma dá diz sê põe pede regista analisa apresenta consulta descreve
`);
const LEAD = String.raw`(?:(?:por favor|depois|primeiro|então|sempre|e|mas|também|além disso|só|somente|apenas|unicamente|finalmente|por fim|em seguida|em vez disso|senão|caso contrário|se possível|se necessário|na dúvida|em caso de dúvida|por padrão|antes de tudo)[,:]?\s+)*`;
const VERB = String.raw`(?:\p{L}+-te|${ORDERS})(?:-(?:se|o|a|os|as|lhe|lhes|me|nos))?(?!\p{L}|-)`;
const START = pattern(String.raw`^${LEAD}${VERB}(?!\s+(?:é|são|era|está|estão|foi)(?!\p{L}))`);
const AFTER = pattern(
  String.raw`^(?:se|quando|sempre que|cada|antes|depois|para|em|ao|à|aos|no|na|nos|nas|após|uma vez|enquanto|com|sem|salvo|a menos|de|por|segundo|durante|até|onde|caso|como|sobre|perante|diante|embora|desde|a).*?(?:,|:|—|–|(?<!\p{L})então)\s*${LEAD}${VERB}`,
);
const INFINITIVE = pattern(
  String.raw`^(?!(?:lugar|lar|bar|mar|par|azar|mulher|poder|prazer|ser|dever|qualquer|ar)(?!\p{L}))\p{L}{2,}(?:ar|er|ir|or)(?:-se)?\s(?!.*(?<!\p{L})(?:é|são|era|foi|está|permite|ajuda|pode|requer|custa|costuma|significa|leva|faz)(?!\p{L}))`,
);

export const PORTUGUESE: Language = {
  known: everyWord(
    list(
      'o a os as um uma uns umas de do da dos das e ou é são que não se com para por em no na nos nas seu sua seus suas teu tua você tu lhe ao à aos às nunca sempre deve deves devem quando cada antes depois como mais sem sobre há nem ser está este esta isso isto só apenas foi pelo pela jamais mas nenhum nenhuma também ele ela num numa',
    ),
  ),
  harmless: everyWord(
    String.raw`não (?:é|são|está|se torna) (?:\S+ )?(?:necessári\p{L}*|obrigatóri\p{L}*|preciso|exigid\p{L}*|imprescindível|obrigad\p{L}*|proibid\p{L}*)`,
    'não (?:precisa|precisas|precisam|há necessidade|há obrigação|tem de|tens de|têm de|tem que|tens que|têm que|necessita|carece)',
    '(?:sem (?:ter de|ter que|precisar|necessidade de))',
    'não (?:hesite|hesites|se preocupe|te preocupes|há problema|tenha medo)',
    '(?:teve|tivemos|tive|tiveram|tinha|tinham|tivera) (?:de|que)',
    String.raw`(?:deve|devem) (?:ter \p{L}+(?:ado|ido|sto|erto|ito)|ser umas)`,
    '(?:devia|deviam|precisou|precisámos|precisamos de reiniciar)',
    'como nunca',
    String.raw`nunca (?:antes|vist\p{L}*)`,
    String.raw`(?:se|quando|que|porque|quem|enquanto|onde|embora|caso) (?:\S+ ){0,2}?não \p{L}+`,
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            '(?:não|nunca|jamais|tampouco) (?:se |o |a |os |as |lhe |te |nos )?(?:deve|deves|devem|deverá|deverás|deverão|deveria|deverias|deveriam|podes|poderás|há de)(?:-se|m)?',
            String.raw`(?:você|vocês|agentes?|assistente|ninguém|utilizador\p{L}*|usuários?) não (?:pode|podem|poderá|poderão)`,
            '(?:nunca|jamais) (?:se )?(?:pode|podem|poderá|poderão)',
            String.raw`não (?:pode|podem|poderá|poderão) ser \p{L}+`,
            'não se (?:pode|podem|poderá)',
            String.raw`(?:deve|deves|devem|deverá) (?:evitar|abster|nunca|jamais)\p{L}*`,
            '(?:em hipótese alguma|sob nenhuma (?:circunstância|hipótese)|em circunstância alguma|em caso algum|em nenhum caso|de modo algum|de forma alguma|de maneira nenhuma|em nenhum momento|em momento algum|sob pretexto algum|nem pensar em)',
            String.raw`(?:é|são|está|estão|fica|ficam) (?:\S+ )?(?:proibid\p{L}*|vedad\p{L}*|interdit\p{L}*|inaceitáve\p{L}*|inadmissíve\p{L}*)`,
            String.raw`não (?:é|são|está|estão|se) (?:\S+ )?(?:permit\p{L}*|autorizad\p{L}*|admit\p{L}*|admissíve\p{L}*|aceitáve\p{L}*|aceita\p{L}*|aceite\p{L}*|tolera\p{L}*)`,
            '(?:evite|evita|evitar|evitem|abstenha-se|abstém-te|abster-se|proibido|proibida|dispense|fuja)',
          ).source,
          String.raw`(?:^|[,;:—–(]\s*|(?<!\p{L})(?:e|mas|nem|por favor|então|depois)\s+)(?:não|nunca|jamais)\s+(?:(?:se|o|a|os|as|lhe|lhes|te|me|nos)\s+){0,2}(?!há\b|é(?!\p{L})|são\b|está|tem\b|têm|existe|era\b|foi\b|funciona|posso|sei\b|obstante|sabe\b|contém|devolve\b|responde\b|só\b|apenas\b|\p{L}+(?:ou|eu|iu|ava|ia|aram|eram|iram)\b)\p{L}+(?:es|as|e|a|em|am|ar|er|ir|ê|ponha|or)(?:-se)?(?!\p{L})`,
          String.raw`^(?:nada\s+de|zero|nenhum|nenhuma|nunca|jamais|sem)\s(?!.*(?<!\p{L})(?:é|são|foi|há|está|tem|houve|existe|era|responde|funciona|dúvida|pressa)(?!\p{L}))`,
          String.raw`^(?:nenhum|nenhuma|ninguém)\b.*(?<!\p{L})(?:deve|pode|deverá|poderá)(?!\p{L})`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      words(
        '(?:deve|deves|devem|deverá|deverás|deverão)(?:-se)?',
        String.raw`(?:tem|tens|têm|temos) (?:de|que) \p{L}+(?:ar|er|ir|or)`,
        String.raw`(?:há|hás|hão) (?:de|que) \p{L}+(?:ar|er|ir)`,
        String.raw`(?:precisa|precisas|precisam)(?: de)? \p{L}+(?:ar|er|ir|or)`,
        String.raw`(?:é|são|torna-se|fica) (?:\S+ )?(?:obrigatóri\p{L}*|necessári\p{L}*|imprescindíve\p{L}*|imperativ\p{L}*|indispensáve\p{L}*|essencia\p{L}*|preciso|exigid\p{L}*|fundamenta\p{L}*|requerid\p{L}*|vital|vitais|crucial)`,
        '(?:obrigatoriamente|sem exceção|sem excepção|a todo momento|em todos os casos|sem falta|a todo o momento|impreterivelmente)',
        String.raw`(?:exige-se|requer-se|está obrigad\p{L}*|estás obrigad\p{L}*|cabe(?:-te| a você|-lhe))`,
        '(?:a sua|sua|a tua|tua|o seu|seu) (?:tarefa|missão|dever|função|obrigação|trabalho) (?:é|consiste)',
        String.raw`(?:só|somente|apenas|unicamente)(?: \S+){0,6} (?:pode|podem|poderá|poderão)`,
        '(?:pode|podem|podes) (?:só|somente|apenas|unicamente)',
        'não (?:se )?(?:esqueça|esqueças|esqueçam|deixe de|te esqueças|deixes de)',
        '(?:certifique-se|certifica-te|assegure-se|garanta|garante)(?: de)?',
        'responderás|escreverás|usarás|citarás|incluirás',
        String.raw`favor \p{L}+(?:ar|er|ir)`,
        String.raw`queira \p{L}+(?:ar|er|ir)`,
      ),
    ],
    [
      'SHOULD',
      words(
        'deveria',
        'deverias',
        'deveriam',
        'convém',
        'conviria',
        '(?:recomenda-se|aconselha-se|sugere-se|prefere-se|recomendamos|aconselhamos|sugerimos)',
        String.raw`(?:é|são|seria) (?:\S+ )?(?:recomendáve\p{L}*|recomendad\p{L}*|aconselháve\p{L}*|preferíve\p{L}*|conveniente\p{L}*|desejáve\p{L}*|melhor|bom|boa ideia|boa prática|útil|sugerid\p{L}*)`,
        'recomendável',
        'preferencialmente',
        'de preferência',
        'prefira',
        'prefere',
        'idealmente',
        'o ideal é',
        'tente',
        'tenta',
        'procure',
        'procura',
        'considere',
        'considera',
        'esforce-se',
        'esforça-te',
        'na medida do possível',
        'sempre que possível',
        'mais vale',
        'vale a pena',
        'opte por',
        'busque',
        'pondere',
        'dê preferência',
      ),
    ],
  ],
  isOrder: (sentence) => START.test(sentence) || AFTER.test(sentence) || INFINITIVE.test(sentence),
  titles: {
    NEVER: /^(?:nunca|proibido|proibições|não fazer|evite|evitar)$/,
    MUST: /^(?:sempre|obrigatório|regras|requisitos|deve)$/,
    SHOULD: /^(?:recomendado|recomendações|conselhos|deveria)$/,
  },
};
