/** Italian: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Vai al contenuto',
    languages: 'Lingua',
    signIn: (service) => `Accedi a ${service}`,
    errorSummary: 'Qualcosa non ha funzionato',
    errorTitle: (title) => `Errore: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Mostra',
    title: 'Accedi',
    to: (client) => `per continuare su ${client}`,
    toService: (service) => `per continuare su ${service}`,
    again: 'Accedi di nuovo per confermare la tua identità.',
    username: 'Nome utente',
    password: 'Password',
    submit: 'Accedi',
    forgot: 'Hai dimenticato la password?',
    rejected: 'Il nome utente e la password non corrispondono.',
    throttled: (wait) => `Troppi tentativi. Riprova tra ${wait}.`,
    expired: 'Questa pagina è rimasta aperta troppo a lungo. Accedi di nuovo.',
    providers: {
      with: (name: string) => `Continua con ${name}`,
      problems: {
        cancelled: (name: string) => `Non hai effettuato l’accesso con ${name}.`,
        unavailable: (name: string) =>
          `${name} non è raggiungibile in questo momento. Riprova più tardi o accedi in un altro modo.`,
        refused: (name: string) => `La risposta di ${name} non è stata accettata. Riprova o accedi in un altro modo.`,
        stale: (name: string) =>
          `${name} non ti ha chiesto di accedere di nuovo. Esci prima da lì o accedi in un altro modo.`,
        unlinked: (name: string) =>
          `Nessuno qui è collegato a quell’account di ${name}. Se hai un account qui, accedi in un altro modo e collega ${name} tra i tuoi metodi di accesso.`,
        another: (name: string) =>
          `Il tuo account qui è collegato a un altro account di ${name}. Accedi in un altro modo o chiedi a chi gestisce questo servizio.`,
        disabled: (name: string) => `Qui non puoi accedere con ${name}. Chiedi a chi gestisce questo servizio.`,
        taken: (name: string) => `Quell’account di ${name} è collegato a un’altra persona qui.`,
        gone: (_name: string) => 'Questo modo di accedere non è più offerto.',
      },
    },
  },
  passkey: {
    or: 'oppure',
    use: 'Accedi con una passkey',
    failed: 'Non è stata usata alcuna passkey. Riprova o continua in un altro modo.',
    unsupported: 'Questo browser non supporta le passkey.',
    noScript: 'Le passkey richiedono JavaScript, che è disattivato in questo browser.',
  },
  secondFactor: {
    title: 'Ancora un passaggio',
    lead: (username) => `Conferma che sei tu, ${username}.`,
    otp: 'Codice della tua app di autenticazione',
    otpHint: 'Sei cifre, inviate appena sono tutte inserite.',
    remember: (time) => `Non chiedere in questo browser per ${time}`,
    submit: 'Accedi',
    passkeyOnly: 'L’app richiede un accesso che solo una passkey consente.',
    recover: 'Usa un codice di recupero',
    recoveryCode: 'Codice di recupero',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Ogni codice vale una volta sola. Te ne resta #.',
        other: 'Ogni codice vale una volta sola. Te ne restano #.',
      }),
    startOver: 'Accedi in un altro modo',
    rejected: 'Non è corretto o è già stato usato.',
    throttled: (wait) => `Troppi tentativi. Riprova tra ${wait}.`,
  },
  newPassword: {
    title: 'Scegli la tua password',
    lead: (username) => `per l’account ${username}`,
    why: 'Hai effettuato l’accesso con una password creata per te. D’ora in poi funzionerà solo quella nuova.',
    submit: 'Imposta la password e continua',
  },
  choose: {
    title: 'Scegli un account',
    to: (client) => `per continuare su ${client}`,
    signedOut: 'Disconnesso',
    another: 'Usa un altro account',
  },
  forgot: {
    title: 'Hai dimenticato la password?',
    lead: 'Dicci chi sei e ti invieremo un link per sceglierne una nuova.',
    named: 'Nome utente o indirizzo email',
    submit: 'Invia il link',
    throttled: (wait) => `Troppe richieste. Riprova tra ${wait}.`,
    sentTitle: 'Controlla la tua email',
    sent: 'Se esiste un account con questo nome e un indirizzo email, abbiamo inviato lì un link. È valido per 30 minuti.',
    sentHint: 'Non è arrivato nulla? Controlla lo spam o chiedi a chi gestisce questo servizio.',
    back: 'Torna all’accesso',
  },
  reset: {
    title: 'Scegli una nuova password',
    lead: (username) => `per l’account ${username}`,
    endsAll: 'Verrai disconnesso ovunque, poi accederai con la nuova password.',
    submit: 'Imposta la password',
    doneTitle: 'La tua password è stata modificata',
    done: 'Accedi con quella nuova. Se usi un secondo fattore, ti verrà chiesto come sempre.',
    signIn: 'Accedi',
    goneTitle: 'Questo link non è più valido',
    gone: 'È già stato usato, è troppo vecchio oppure ne è stato inviato uno più recente. Va inoltre aperto nel browser in cui completi l’operazione.',
    again: 'Richiedi un nuovo link',
  },
}
