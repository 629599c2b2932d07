/** Dutch: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Naar de inhoud',
    languages: 'Taal',
    signIn: (service) => `Inloggen bij ${service}`,
    errorSummary: 'Dat is niet gelukt',
    errorTitle: (title) => `Fout: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Tonen',
    title: 'Inloggen',
    to: (client) => `om door te gaan naar ${client}`,
    toService: (service) => `om door te gaan naar ${service}`,
    again: 'Log opnieuw in om te bevestigen dat u het bent.',
    username: 'Gebruikersnaam',
    password: 'Wachtwoord',
    submit: 'Inloggen',
    forgot: 'Wachtwoord vergeten?',
    rejected: 'De gebruikersnaam en het wachtwoord komen niet overeen.',
    throttled: (wait) => `Te veel pogingen. Probeer het opnieuw over ${wait}.`,
    expired: 'Deze pagina heeft te lang opengestaan. Log opnieuw in.',
    providers: {
      with: (name: string) => `Doorgaan met ${name}`,
      problems: {
        cancelled: (name: string) => `U bent niet ingelogd met ${name}.`,
        unavailable: (name: string) =>
          `${name} is op dit moment niet bereikbaar. Probeer het later opnieuw of log op een andere manier in.`,
        refused: (name: string) =>
          `Het antwoord van ${name} kon niet worden aanvaard. Probeer het opnieuw of log op een andere manier in.`,
        stale: (name: string) =>
          `${name} heeft u niet gevraagd opnieuw in te loggen. Log daar eerst uit of log op een andere manier in.`,
        unlinked: (name: string) =>
          `Niemand hier is gekoppeld aan dat account bij ${name}. Hebt u hier een account, log dan op een andere manier in en koppel ${name} bij uw inlogmethoden.`,
        another: (name: string) =>
          `Uw account hier is gekoppeld aan een ander account bij ${name}. Log op een andere manier in of vraag het de beheerder van deze dienst.`,
        disabled: (name: string) => `U kunt hier niet inloggen met ${name}. Vraag het de beheerder van deze dienst.`,
        taken: (name: string) => `Dat account bij ${name} is hier aan iemand anders gekoppeld.`,
        gone: (_name: string) => 'Deze manier van inloggen wordt niet meer aangeboden.',
      },
    },
  },
  passkey: {
    or: 'of',
    use: 'Inloggen met een toegangssleutel',
    failed: 'Er is geen toegangssleutel gebruikt. Probeer het opnieuw of ga op een andere manier verder.',
    unsupported: 'Deze browser ondersteunt geen toegangssleutels.',
    noScript: 'Toegangssleutels hebben JavaScript nodig, dat in deze browser is uitgeschakeld.',
  },
  secondFactor: {
    title: 'Nog één stap',
    lead: (username) => `Laat zien dat u het bent, ${username}.`,
    otp: 'Code uit uw authenticator-app',
    otpHint: 'Zes cijfers. Ze worden verzonden zodra ze allemaal zijn ingevuld.',
    remember: (time) => `In deze browser niet vragen gedurende ${time}`,
    submit: 'Inloggen',
    passkeyOnly: 'De app vraagt om een aanmelding die alleen met een toegangssleutel mogelijk is.',
    recover: 'Een herstelcode gebruiken',
    recoveryCode: 'Herstelcode',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Elke code werkt één keer. U hebt er nog #.',
        other: 'Elke code werkt één keer. U hebt er nog #.',
      }),
    startOver: 'Op een andere manier inloggen',
    rejected: 'Dat was niet juist of is al eerder gebruikt.',
    throttled: (wait) => `Te veel pogingen. Probeer het opnieuw over ${wait}.`,
  },
  newPassword: {
    title: 'Kies uw eigen wachtwoord',
    lead: (username) => `voor het account ${username}`,
    why: 'U hebt ingelogd met een wachtwoord dat voor u is gemaakt. Vanaf nu werkt alleen het nieuwe.',
    submit: 'Wachtwoord instellen en doorgaan',
  },
  choose: {
    title: 'Kies een account',
    to: (client) => `om door te gaan naar ${client}`,
    signedOut: 'Uitgelogd',
    another: 'Een ander account gebruiken',
  },
  forgot: {
    title: 'Wachtwoord vergeten?',
    lead: 'Vertel ons wie u bent, dan sturen we u een link om een nieuw wachtwoord te kiezen.',
    named: 'Gebruikersnaam of e-mailadres',
    submit: 'Link versturen',
    throttled: (wait) => `Te veel aanvragen. Probeer het opnieuw over ${wait}.`,
    sentTitle: 'Bekijk uw e-mail',
    sent: 'Als er een account met die naam en een e-mailadres bestaat, is er een link onderweg. Die werkt 30 minuten.',
    sentHint: 'Niets ontvangen? Kijk bij de spam of vraag het aan de beheerder van deze dienst.',
    back: 'Terug naar inloggen',
  },
  reset: {
    title: 'Kies een nieuw wachtwoord',
    lead: (username) => `voor het account ${username}`,
    endsAll: 'U wordt overal uitgelogd en logt daarna in met het nieuwe wachtwoord.',
    submit: 'Wachtwoord instellen',
    doneTitle: 'Uw wachtwoord is gewijzigd',
    done: 'Log in met het nieuwe wachtwoord. Gebruikt u een tweede factor, dan wordt daar zoals altijd om gevraagd.',
    signIn: 'Inloggen',
    goneTitle: 'Deze link is niet meer geldig',
    gone: 'De link is gebruikt, te oud, of er is een nieuwere verstuurd. Hij moet ook worden geopend in de browser waarin u verdergaat.',
    again: 'Een nieuwe link aanvragen',
  },
}
