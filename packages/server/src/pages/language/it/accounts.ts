/** Italian: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Crea un account',
    title: 'Crea un account',
    lead: 'Inviamo un link al tuo indirizzo email. L’account viene creato quando lo segui.',
    email: 'Indirizzo email',
    submit: 'Invia il link',
    domain: 'Qui gli account sono riservati agli indirizzi di alcune organizzazioni.',
    sent: 'Abbiamo inviato un’email a quell’indirizzo. Il link che contiene vale una volta sola, per 24 ore.',
    sentHint: 'Non è arrivato nulla? Controlla lo spam o come hai scritto l’indirizzo.',
  },
  signInLink: {
    link: 'Inviami un link di accesso',
    title: 'Accedi tramite email',
    lead: 'Dicci chi sei e ti inviamo un link per accedere.',
    sent: 'Se esiste un account con quel nome e un indirizzo email, abbiamo inviato lì un link. Vale una volta sola, per 10 minuti, in questo browser.',
    finish: 'Accedi',
    as: (username) => `come ${username}`,
    finishHint: 'Il link vale una volta sola. Se non lo hai richiesto, chiudi questa pagina.',
    elsewhereTitle: 'Apri il link nell’altro browser',
    elsewhere:
      'Questo link fa accedere solo il browser in cui è stato richiesto. Aprilo lì, oppure richiedine uno nuovo qui.',
    again: 'Richiedi un link qui',
  },
  newAccount: {
    title: 'Il tuo nuovo account',
    lead: (email) => `per ${email}`,
    name: 'Il tuo nome',
    submit: 'Crea l’account',
    unreadable: 'Scrivi un nome leggibile di al massimo 200 caratteri.',
    gone: 'È già stato usato, è troppo vecchio oppure ne è stato inviato uno più recente. Se hai già un account, accedi.',
  },
  terms: {
    title: 'Condizioni d’uso',
    lead: 'Per continuare, leggi le condizioni d’uso e accettale.',
    read: (version) => `Leggi le condizioni d’uso, versione ${version}`,
    agree: 'Accetto le condizioni d’uso',
    submit: 'Accetta e continua',
    required: 'Per continuare devi accettare le condizioni d’uso.',
  },
  profile: {
    lead: 'Ciò che le app possono sapere di te quando lo consenti.',
    given: 'Nome',
    family: 'Cognome',
    locale: 'Lingua',
    zone: 'Fuso orario',
    picture: 'Immagine',
    pictureHint: 'Un indirizzo https.',
    submit: 'Salva',
    invalid: 'Così non può essere salvato.',
  },
  ownData: {
    lead: 'Ciò che è conservato su di te, e come porvi fine.',
    downloadTitle: 'Scarica i tuoi dati',
    downloadLead: 'Tutto ciò che è conservato su di te, in un file JSON. Non contiene password né chiavi.',
    download: 'Scarica',
    deleteTitle: 'Elimina il tuo account',
    deleteLead: (date) =>
      `Vieni disconnesso ovunque subito e tutte le app perdono l’accesso. Fino al ${date} puoi tornare accedendo. Dopo, il tuo account e tutto ciò che è conservato su di te vengono eliminati per sempre.`,
    submit: 'Elimina il mio account',
    stale: 'Hai effettuato l’accesso troppo tempo fa. Esci, accedi di nuovo e torna qui.',
    lastOwner: 'Qui sei l’ultimo proprietario. Prima nomina un altro proprietario.',
    deletedTitle: 'Il tuo account verrà eliminato',
    deleted: (date) => `Verrà eliminato per sempre il ${date}. Per tenerlo, accedi prima di allora.`,
  },
}
