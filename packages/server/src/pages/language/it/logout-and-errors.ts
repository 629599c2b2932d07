/** Italian: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Servizio di autorizzazione',
    lead: 'Qui le persone accedono e decidono quali app possono fare che cosa a loro nome.',
    account: { title: 'Il tuo account', lead: 'App con accesso, sessioni e metodi di accesso.' },
    console: { title: 'Console', lead: 'Client, persone, accessi e chiavi, per gli amministratori.' },
    discovery: {
      title: 'Documento di discovery',
      lead: 'Dove client e API trovano tutti gli endpoint di questo emittente.',
    },
    problems: { title: 'Codici di errore', lead: 'Che cosa significa ogni errore e che cosa fare.' },
    tryIt: 'Prova',
    steps: {
      token: 'Ottieni un token, in un terminale',
      call: 'Chiama con esso l’API Orders',
      revoke: 'Revocalo: la stessa chiamata viene poi rifiutata',
      trust:
        'Fai in modo che i browser di questo computer si fidino del suo certificato; lo stesso con --remove annulla',
      browser: 'Accedi con un browser, come alice con la password alice',
      terminal: 'Accedi da un terminale, con un codice',
    },
  },
  logout: {
    title: 'Uscire?',
    asked: (client) => `${client} chiede di disconnetterti.`,
    lead: (service) => `Verrai disconnesso da ${service} in questo browser.`,
    confirm: 'Esci',
    stay: 'Resta connesso',
    doneTitle: 'Sei uscito',
    done: (service) => `Non sei più connesso a ${service} in questo browser.`,
    back: (client) => `Torna a ${client}`,
    signInAgain: 'Accedi di nuovo',
    framesTitle: 'Sei uscito',
    frames: 'Stiamo avvisando le app che hai usato. Ci vorrà un momento.',
    frame: (host) => `Disconnessione da ${host}`,
    onward: 'Continua',
  },
  error: {
    trace: 'ID di traccia',
    traceHint: 'Comunicalo all’assistenza. Non dice nulla su di te.',
    code: 'Codice di errore',
    home: 'Vai alla pagina principale',
    kinds: {
      request: {
        title: 'Impossibile rispondere a questa richiesta',
        lead: 'L’app da cui provieni ha fatto una richiesta non valida.',
        remedy: 'Torna all’app e riprova. Se succede ancora, avvisa chi la gestisce.',
      },
      client: {
        title: 'Non conosciamo questa app',
        lead: 'L’app da cui provieni non è registrata presso questo servizio.',
        remedy: 'Per proteggerti non le abbiamo inviato nulla. Avvisa chi gestisce l’app.',
      },
      missing: {
        title: 'La richiesta dell’app è incompleta',
        lead: 'L’app da cui provieni ha omesso qualcosa di necessario: chi è o dove deve andare la risposta.',
        remedy: 'Torna all’app e riprova. Se succede ancora, avvisa chi la gestisce.',
      },
      redirect: {
        title: 'L’indirizzo di ritorno dell’app non è registrato',
        lead: 'Conosciamo l’app da cui provieni, ma non l’indirizzo a cui vuole ricevere la risposta.',
        remedy:
          'Per proteggerti non vi abbiamo inviato nulla. Avvisa chi gestisce l’app: il suo redirect_uri deve essere registrato esattamente come viene inviato.',
      },
      expired: {
        title: 'È passato troppo tempo',
        lead: 'La richiesta non è più valida o ha già ricevuto risposta.',
        remedy: 'Torna all’app e ricomincia.',
      },
      elsewhere: {
        title: 'L’operazione è iniziata in un altro browser',
        lead: 'Solo il browser che ha iniziato un accesso può completarlo.',
        remedy: 'Torna all’app in questo browser e ricomincia. Verifica che i cookie siano consentiti.',
      },
      returned: {
        title: 'Questo accesso non può essere completato qui',
        lead: 'È stato iniziato in un altro browser, ha richiesto troppo tempo o è già terminato. Nulla è stato modificato.',
        remedy: 'Ricomincia dall’app o dalla pagina iniziale.',
      },
      forged: {
        title: 'Impossibile accettare il modulo',
        lead: 'È stato inviato da un’altra pagina o è rimasto aperto troppo a lungo.',
        remedy: 'Torna all’app e ricomincia.',
      },
      unavailable: {
        title: 'Torniamo tra un momento',
        lead: 'Il servizio non può rispondere in questo momento. Non è stato modificato nulla.',
        remedy: 'Attendi un po’, poi ricarica questa pagina.',
      },
      not_found: {
        title: 'Qui non c’è nulla',
        lead: 'Questa pagina non esiste o non esiste più.',
        remedy: 'Controlla l’indirizzo.',
      },
      internal: {
        title: 'Qualcosa è andato storto da parte nostra',
        lead: 'Impossibile rispondere alla richiesta. L’evento è stato registrato.',
        remedy: 'Riprova. Se succede ancora, comunica l’ID di traccia all’assistenza.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Impossibile rispondere a questa richiesta',
        lead: (client) => `${client} ha chiesto qualcosa che non ha ottenuto.`,
      },
      denied: {
        title: 'Accesso non concesso',
        lead: (client) => `${client} non ha ricevuto l’accesso al tuo account.`,
      },
      signedOut: {
        title: 'Sei uscito',
        lead: (client) => `${client} vuole che tu torni.`,
      },
    },
    unchecked: (service) =>
      `Questa app si è registrata da sola e qui non le hai consentito nulla. ${service} non ha verificato dove conduce: continua solo se conosci questo indirizzo.`,
    address: 'Il suo indirizzo',
    go: (host) => `Vai a ${host}`,
  },
  problem: {
    happened: 'Che cosa è successo',
    why: 'Perché',
    remedy: 'Che cosa fare',
    source: 'Definito in',
    status: 'Stato HTTP',
    all: 'Tutti i codici di errore',
    allLead: 'Tutti gli errori con cui possono rispondere questo servizio e le API che protegge.',
    unknownTitle: 'Codice di errore sconosciuto',
    unknown: 'Questo servizio non ha un errore con questo nome.',
    families: {
      authorize: 'Nel browser: la risposta di autorizzazione',
      token: 'Fuori dal browser: token e altri endpoint',
      api: 'Presso un’API protetta: tipi di problema',
    },
  },
}
