/** Italian. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Se non sei stato tu, cambia subito la password e termina ogni sessione che non riconosci. Puoi fare entrambe le cose nella pagina del tuo account.'

export const it: MailMessages = {
  account: 'Account',
  app: 'App',
  message: 'Messaggio',
  when: 'Quando',
  device: 'Dispositivo',
  address: 'Indirizzo',
  unknownDevice: 'Sconosciuto',
  unknownAddress: 'Sconosciuto',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'Oppure apri questo indirizzo:',
  yourAccount: 'Il tuo account',
  footer: (service) =>
    `Ricevi questa email perché hai un account su ${service}. Le risposte a questo messaggio non vengono lette.`,
  strangerFooter: (service) =>
    `Ricevi questa email perché questo indirizzo è stato indicato a ${service}. Le risposte a questo messaggio non vengono lette.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Scegli una nuova password per ${service}`,
      title: 'Scegli una nuova password',
      lead: ({ service }) => `Qualcuno, probabilmente tu, ha chiesto una nuova password su ${service}.`,
      button: 'Scegli una nuova password',
      linkNote: 'Il link vale una volta sola, per 30 minuti. Uno più recente lo sostituisce.',
      notYou: 'Se non l’hai chiesta tu, non fare nulla: la tua password resta com’è. Non inoltrare mai il link.',
    },
    sign_in_link: {
      subject: ({ service }) => `Accedi a ${service}`,
      title: 'Accedi',
      lead: ({ service }) => `Qualcuno, probabilmente tu, ha richiesto un link per accedere a ${service}.`,
      button: 'Accedi',
      linkNote: 'Il link vale una volta sola, per 10 minuti, nel browser in cui è stato richiesto.',
      notYou: 'Se non lo hai richiesto, non fare nulla: nessuno accede. Non inoltrare mai il link.',
    },
    sign_up: {
      subject: ({ service }) => `Crea il tuo account su ${service}`,
      title: 'Crea il tuo account',
      lead: ({ service }) => `Qualcuno, probabilmente tu, ha chiesto un account su ${service} con questo indirizzo.`,
      button: 'Crea l’account',
      linkNote: 'Il link vale una volta sola, per 24 ore. Uno più recente lo sostituisce.',
      notYou: 'Se non l’hai chiesto, non fare nulla: nessun account viene creato. Non inoltrare mai il link.',
    },
    account_exists: {
      subject: ({ service }) => `Hai già un account su ${service}`,
      title: 'Hai già un account',
      lead: ({ service }) =>
        `Qualcuno, probabilmente tu, ha chiesto un account su ${service} con questo indirizzo. Ne esiste già uno. Se hai dimenticato la password, puoi sceglierne una nuova nella pagina di accesso.`,
      button: 'Accedi',
      notYou: 'Se non l’hai chiesto, non fare nulla: il tuo account resta com’è.',
    },
    invitation: {
      subject: ({ service }) => `Hai un invito a ${service}`,
      title: 'Hai un invito',
      lead: ({ service }) => `Hai un invito per un account su ${service}. Scegli un nome e una password, e sarà tuo.`,
      button: 'Accetta l’invito',
      linkNote: 'Il link vale una volta sola e solo per questo indirizzo.',
      notYou:
        'Se non sai di che cosa si tratta, non fare nulla: nessun account viene creato. Non inoltrare mai il link.',
    },
    deletion_requested: {
      subject: ({ service }) => `Il tuo account su ${service} verrà eliminato`,
      title: 'Il tuo account verrà eliminato',
      lead: ({ service }) =>
        `Il tuo account su ${service} è stato chiuso e verrà eliminato per sempre. Per tenerlo, accedi prima di allora.`,
      notYou: 'Se non sei stato tu, accedi ora per tenere l’account e cambia la password.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Il tuo account su ${service} resta`,
      title: 'Il tuo account resta',
      lead: ({ service }) =>
        `Qualcuno ha effettuato l’accesso al tuo account su ${service}, che doveva essere eliminato. Resta.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Conferma il tuo indirizzo per ${service}`,
      title: 'Conferma il tuo indirizzo',
      lead: ({ service }) =>
        `Questo indirizzo è stato inserito per un account su ${service}. Confermalo se l’account è tuo.`,
      button: 'Conferma l’indirizzo',
      linkNote: 'Il link vale una volta sola, per 24 ore, e ti chiede di accedere a quell’account.',
      notYou: 'Se l’account non è tuo, non fare nulla: l’indirizzo non verrà usato.',
    },
    address_changed: {
      subject: ({ service }) => `Il tuo indirizzo su ${service} è stato modificato`,
      title: 'Il tuo indirizzo è stato modificato',
      lead: ({ service }) =>
        `È stato confermato un altro indirizzo per il tuo account su ${service}. D’ora in poi le email arrivano lì e non più qui.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `La tua password su ${service} è stata modificata`,
      title: 'La tua password è stata modificata',
      lead: ({ service }) =>
        `La password del tuo account su ${service} è stata modificata e le altre sessioni sono state terminate.`,
      notYou:
        'Se non sei stato tu, chiedi subito una nuova password nella pagina di accesso e avvisa chi gestisce questo servizio.',
    },
    signed_in: {
      subject: ({ service }) => `Nuovo accesso a ${service}`,
      title: 'Nuovo accesso',
      lead: ({ service }) => `È stato effettuato l’accesso al tuo account su ${service} da un browser non noto.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} è stata collegata al tuo account su ${service}`,
      title: 'È stata collegata un’app',
      lead: ({ client, service }) =>
        `Hai consentito a ${client} di agire a tuo nome su ${service}. Nella pagina del tuo account puoi vedere che cosa le è consentito e revocarlo.`,
      notYou: 'Se non sei stato tu, rimuovi subito l’app nella pagina del tuo account e cambia la password.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} chiede l’accesso su ${service}`,
      title: 'Un’app chiede l’accesso',
      lead: ({ client, service }) =>
        `${client} chiede di agire a tuo nome su ${service}. Guarda che cosa chiede nella pagina del tuo account e consenti o nega lì.`,
      button: 'Guarda la richiesta',
      linkNote: 'La richiesta attende solo pochi minuti.',
      notYou:
        'Se non hai iniziato tu, nega o non fare nulla: senza di te nulla viene consentito. Nessuno che ti chiami o ti scriva dovrebbe chiederti di consentire.',
    },
    factor_added: {
      subject: ({ service }) => `È stato aggiunto un metodo di accesso su ${service}`,
      title: 'È stato aggiunto un metodo di accesso',
      lead: ({ service }) => `Ora è possibile accedere in un altro modo al tuo account su ${service}.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `È stato rimosso un metodo di accesso su ${service}`,
      title: 'È stato rimosso un metodo di accesso',
      lead: ({ service }) => `È stato rimosso un modo di accedere al tuo account su ${service}.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `È stato usato un codice di recupero su ${service}`,
      title: 'È stato usato un codice di recupero',
      lead: ({ service }) =>
        `Qualcuno ha effettuato l’accesso al tuo account su ${service} con uno dei tuoi codici di recupero. Quel codice non è più utilizzabile.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `Email di prova di ${service}`,
      title: 'Funziona',
      lead: ({ service }) => `${service} può inviare email. Qualcuno che lo gestisce ha chiesto questa.`,
      notYou: 'Non devi fare nulla.',
    },
  },
}
