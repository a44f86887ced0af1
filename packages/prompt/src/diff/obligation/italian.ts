import { everyWord, type Language, list, pattern, words } from './language.js';

/** Orders, to one who is known and polite. */
const ORDERS = list(`
  abbandona accerta accertati accertarsi accetta accetti adatta adatti aderisci agisci agisca aggiorna aggiorni aggiungi aggiunga aiuta aiuti allega alleghi analizza analizzi annota annoti
  appoggiati apri apra applica applichi archivia archivi arrotonda ascolta ascolti aspetta aspetti assegna assegni assicurati assicura assumi attendi attenda attieniti attenetevi attribuisci avvisa avvisi avvia avvii basa basati basi
  calcola calcoli cambia cambi cancella cancelli cerca cerchi chiama chiami chiarisci chiarisca chiedi chieda chiudi chiuda cita citi classifica classifichi colloca comincia cominci compila compili
  completa completi componi comportati comunica comunichi concentrati concludi concluda conferma confermi confronta confronti conserva conservi consegna consegni consulta consulti conta continua continui controlla controlli
  converti converta copia copi correggi corregga crea crei cura dà dai dia decidi decida definisci definisca delega deleghi descrivi descriva dettaglia determina determini di dica dividi divida documenta documenti
  effettua effettui elabora elabori elenca elenchi elimina elimini esamina esamini esegui esegua esplora esponi esprimi esprimiti estrai estragga evidenzia evidenzi fa fai faccia ferma fermati fermi filtra filtri
  finisci finisca focalizzati formatta formatti formula formuli fornisci fornisca genera generi gestisci gestisca giustifica giustifichi guarda guardi identifica identifichi ignora ignori impara imposta imposti includi includa indica indichi informa informi
  inizia inizi inoltra inoltri inserisci inserisca interpreta interrompi interrompa interroga invia invii invoca lascia lasci lavora lavori leggi legga limita limitati limiti si limiti manda mandi mantieni mantenga marca menziona menzioni metti metta
  misura modifica modifichi mostra mostri motiva motivi nomina notifica notifichi numera obbedisci offri offra ometti ometta ordina ordini organizza organizzi osserva osservi ottieni ottenga parla parli parti passa passi pensa pensi pianifica poni ponga porta
  posiziona prendi prenda prepara prepari presenta presenti preserva preservi procedi proceda produci produca proponi proponga proteggi protegga prova pubblica pubblichi raccogli raccolga raggruppa raggruppi ragiona redigi rediga registra registri
  rendi renda restituisci restituisca resta resti rettifica revisiona ricontrolla ricorda ricordati ricordi riduci riduca rielabora riferisci riferisciti riferisca rifiuta rifiuti riformula riformuli rileggi rilegga rimani rimuovi rimuova rinomina ripeti ripeta riporta riporti
  risolvi risolva rispetta rispetti rispondi risponda riscrivi riscriva riassumi riassuma riutilizza richiedi richieda salva salvi scegli scelga scrivi scriva segnala segnali segui segua seleziona selezioni semplifica separa separi sia sii siate sintetizza sostituisci
  sostituisca sottolinea sottolinei specifica specifichi spiega spieghi stabilisci stampa stampi suddividi suddivida suggerisci suggerisca supponi svolgi svolga termina termini tieni tenga togli tolga torna torni traccia traduci traduca tratta tratti trasforma
  trasmetti trasmetta trova trovi unisci usa usi utilizza utilizzi valida validi valuta valuti va vada vai verifica verifichi visualizza visualizzi consideri considera condividi condivida esponga immagina mantieniti rivolgiti si assicuri si attenga
  adotta adotti raccomanda dillo dilla diglielo dallo fallo fammi dammi dimmi fatti
`);
const LEAD = String.raw`(?:(?:per favore|per cortesia|si prega di|poi|dopo|prima|quindi|allora|sempre|e|ma|anche|inoltre|solo|soltanto|unicamente|esclusivamente|infine|in seguito|altrimenti|se possibile|se necessario|nel dubbio|in caso di dubbio|invece|innanzitutto|anzitutto)[,:]?\s+)*`;
const VERB = String.raw`(?:${ORDERS}(?:lo|la|li|le|gli|ti|si|ne|mi|ci)?)(?!\p{L})`;
const START = pattern(
  String.raw`^${LEAD}(?:si\s+)?${VERB}(?!\s+(?:è|sono|era|sta|stanno|fu|ha|hanno)(?!\p{L}))`,
);
const AFTER = pattern(
  String.raw`^(?:se|quando|ogni|prima|dopo|per|in|nel|nella|nei|nelle|al|alla|ai|una volta|mentre|con|senza|salvo|a meno|di|da|dal|secondo|durante|fino|dove|come|su|sul|sulla|davanti|qualora|appena|finché|ad|a|anche).*?(?:,|:|—|–|(?<!\p{L})allora)\s*${LEAD}(?:si\s+)?${VERB}`,
);
const INFINITIVE = pattern(
  String.raw`^(?!(?:mare|altare|dovere|potere|piacere|essere|avere|fiore|errore|autore|valore|colore|dottore|server|per|oltre|sempre|pure|oppure|eppure|mentre|inoltre|ore|cuore|settore|ulteriore|lettore|computer)(?!\p{L}))\p{L}{2,}(?:are|ere|ire|rre|arsi|ersi|irsi)(?:lo|la|li|le|gli)?\s(?!.*(?<!\p{L})(?:è|sono|era|fu|sta|permette|aiuta|può|richiede|costa|significa|fa|serve)(?!\p{L}))`,
);

export const ITALIAN: Language = {
  known: everyWord(
    list(
      "il lo la i gli le un uno una di del della dei delle degli e o è sono che non se con per da dal in nel nella al alla ai tuo tua tuoi suo sua lei tu si ne mai sempre deve devi devono quando ogni prima dopo come più senza su sul ci né essere questo questa questi solo ha hanno l['’] un['’] dell['’] all['’] nell['’] c['’] d['’] anche nessun nessuna ma va vanno",
    ),
  ),
  harmless: everyWord(
    String.raw`non (?:è|sono|sei|siete) (?:\S+ )?(?:necessari\p{L}*|obbligatori\p{L}*|richiest\p{L}*|indispensabil\p{L}*|obbligat\p{L}*|tenut\p{L}*|vietat\p{L}*)`,
    "non (?:serve|occorre|c['’]è bisogno|hai bisogno|ha bisogno|devi per forza|deve per forza|bisogna per forza|importa)",
    String.raw`non (?:sei|è) (?:obbligat\p{L}*|costrett\p{L}*)`,
    '(?:senza (?:dover|bisogno di|doverlo|necessità di))',
    'non (?:esitare|esiti|preoccuparti|si preoccupi|ti preoccupare|temere)',
    '(?:dovette|dovettero|ha dovuto|abbiamo dovuto|hanno dovuto|doveva|dovevano|dovevamo)',
    'va bene',
    String.raw`(?:deve|devono) (?:essere (?:mezzanotte|tardi|l['’]una|le \p{L}+)|aver \p{L}+(?:ato|uto|ito|sto))`,
    String.raw`dev['’]essere \p{L}+`,
    'come (?:non )?mai',
    String.raw`mai (?:vist\p{L}*|raggiunt\p{L}*|prima)`,
    String.raw`(?:se|quando|che|perché|chi|mentre|dove|anche se|qualora) (?:\S+ ){0,2}?non \p{L}+`,
  ),
  forces: [
    [
      'NEVER',
      pattern(
        [
          words(
            '(?:non|mai) (?:si |lo |la |li |le |gli |ti |ci |ne )?(?:deve|devi|devono|dovete|dovrà|dovrai|dovranno|dovrebbe|dovresti|dovrebbero|puoi|potete|potrai|va|vanno|bisogna|andrà|andranno)',
            '(?:lei|agent[ei]|assistente|nessuno|utent[ei]|dipendenti) non (?:può|possono|potrà|potranno)',
            '(?:mai) (?:può|possono)',
            String.raw`non (?:può|possono|potrà|potranno) (?:mai )?essere \p{L}+`,
            'non si (?:può|possono|potrà)',
            String.raw`(?:devi|deve|devono) (?:evitare|astener\p{L}*|mai)`,
            '(?:in nessun caso|per nessun motivo|per nessuna ragione|in nessuna circostanza|a nessuna condizione|in alcun modo|in alcun caso|mai e poi mai|in nessun modo|in nessun momento|assolutamente no)',
            String.raw`(?:è|sono|resta|restano|rimane) (?:\S+ )?(?:vietat\p{L}*|proibit\p{L}*|interdett\p{L}*|inaccettabil\p{L}*|esclus\p{L}*|bandit\p{L}*|da evitare)`,
            String.raw`non (?:è|sono|viene|vengono|si) (?:\S+ )?(?:permess\p{L}*|consentit\p{L}*|autorizzat\p{L}*|ammess\p{L}*|accettabil\p{L}*|accettat\p{L}*|tollerat\p{L}*|ammett\p{L}*|accett\p{L}*|toller\p{L}*)`,
            '(?:evita|eviti|evitare|evitate|astieniti|si astenga|astenersi|vietato|vietata|vietati|vietate|guardati dal|guardati bene)',
            String.raw`(?:va|vanno) evitat\p{L}*`,
            String.raw`divieto (?:\S+ )?di`,
          ).source,
          String.raw`(?:^|[,;:—–(]\s*|(?<!\p{L})(?:e|ma|né|per favore|quindi|poi|si prega di)\s+)(?:non|mai)\s+(?:(?:si|lo|la|li|le|gli|ti|mi|ci|ne|ve|te)\s+){0,2}(?!c['’]è|ci\b|è(?!\p{L})|sono\b|ha\b|hanno\b|esiste|era\b|fu\b|funziona|posso|so\b|sa\b|solo\b|contiene|restituisce\b|risponde\b|sempre\b|tutti\b|\p{L}+(?:ava|eva|iva|ò|ato|uto|ito)(?!\p{L}))\p{L}+(?:are|ere|ire|rre|i|a|ino|ano|arlo|arla|erlo|erla|arli|arti|erti|irti|arsi|ersi|irsi|argli|irlo|ate|ete|ite)(?!\p{L})`,
          String.raw`^(?:niente|nessun|nessuna|nessuno|mai|zero|senza)\s(?!.*(?<!\p{L})(?:è|sono|fu|ha|hanno|c['’]è|sta|era|esiste|risponde|funziona|dubbio|di|paura)(?!\p{L}))`,
          String.raw`^niente\s+\p{L}+`,
          String.raw`^nessun\p{L}*.*(?<!\p{L})(?:deve|può|devono|possono)(?!\p{L})`,
        ].join('|'),
      ),
    ],
    [
      'MUST',
      words(
        '(?:deve|devi|devono|dovete|dovrà|dovrai|dovranno)',
        '(?:bisogna|occorre)',
        String.raw`(?:va|vanno|andrà|andranno) (?:\S+ )?\p{L}+(?:ato|ata|ati|ate|uto|uta|uti|ute|ito|ita|iti|ite|sto|sta|sti|ste|tto|tta|tti|tte|so|sa|si|se)`,
        String.raw`(?:è|sono|resta|diventa) (?:\S+ )?(?:obbligatori\p{L}*|necessari\p{L}*|indispensabil\p{L}*|imperativ\p{L}*|essenzial\p{L}*|richiest\p{L}*|fondamental\p{L}*|tassativ\p{L}*|imprescindibil\p{L}*|d['’]obbligo|cruciale|vitale)`,
        '(?:obbligatoriamente|senza eccezioni|in ogni momento|in ogni caso|tassativamente|assolutamente|sempre e comunque|necessariamente)',
        String.raw`(?:sei|è|siete|sono) (?:tenut\p{L}*|obbligat\p{L}*) a`,
        '(?:il tuo|la tua|il suo|la sua) (?:compito|missione|dovere|funzione|obbligo|lavoro) (?:è|consiste)',
        String.raw`(?:solo|soltanto|unicamente)(?: \S+){0,6} (?:può|possono|potrà|potranno)`,
        '(?:può|puoi|possono) (?:solo|soltanto|unicamente)',
        '(?:non dimenticare|non dimentichi|non scordare)',
        '(?:assicurati|si assicuri|accertati|si accerti|fai in modo|faccia in modo|abbi cura|abbia cura)',
        '(?:si prega di|si raccomanda vivamente di|è fatto obbligo)',
        String.raw`(?:è|sono) da (?!evitare)\p{L}+(?:are|ere|ire)`,
        'risponderai|scriverai|userai|citerai',
      ),
    ],
    [
      'SHOULD',
      words(
        'dovrebbe',
        'dovresti',
        'dovrebbero',
        'conviene',
        'converrebbe',
        String.raw`(?:si (?:consiglia|raccomanda|suggerisce|preferisce)|(?:è|sarebbe) (?:\S+ )?(?:consigliabil\p{L}*|raccomandat\p{L}*|preferibil\p{L}*|opportun\p{L}*|meglio|bene|auspicabil\p{L}*|consigliat\p{L}*|buona (?:norma|prassi|idea)|utile))`,
        'consigliamo',
        'raccomandiamo',
        'suggeriamo',
        'consigliato',
        'preferibilmente',
        'di preferenza',
        'preferisci',
        'preferisca',
        'privilegia',
        'privilegi',
        'idealmente',
        "l['’]ideale (?:è|sarebbe)",
        'prova a',
        'provi a',
        'cerca di',
        'cerchi di',
        'tenta di',
        'valuta',
        'valuti',
        'sforzati',
        'si sforzi',
        'per quanto possibile',
        'se possibile',
        'meglio',
        'considera',
        'consideri',
        'opta per',
        'punta a',
        'vale la pena',
      ),
    ],
  ],
  isOrder: (sentence) => START.test(sentence) || AFTER.test(sentence) || INFINITIVE.test(sentence),
  titles: {
    NEVER: /^(?:mai|vietato|divieti|da evitare|non fare)$/,
    MUST: /^(?:sempre|obbligatorio|regole|requisiti|devi)$/,
    SHOULD: /^(?:consigliato|raccomandazioni|consigli|dovresti)$/,
  },
};
