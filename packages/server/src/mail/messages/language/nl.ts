/** Dutch. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Was u dit niet, wijzig dan nu uw wachtwoord en beëindig elke sessie die u niet kent. Beide kunt u doen op uw accountpagina.'

export const nl: MailMessages = {
  account: 'Account',
  app: 'App',
  message: 'Bericht',
  when: 'Wanneer',
  device: 'Apparaat',
  address: 'Adres',
  unknownDevice: 'Onbekend',
  unknownAddress: 'Onbekend',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'Of open dit adres:',
  yourAccount: 'Uw account',
  footer: (service) =>
    `U krijgt deze e-mail omdat u een account bij ${service} hebt. Antwoorden op deze e-mail worden niet gelezen.`,
  strangerFooter: (service) =>
    `U krijgt deze e-mail omdat dit adres bij ${service} is opgegeven. Antwoorden op deze e-mail worden niet gelezen.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Kies een nieuw wachtwoord voor ${service}`,
      title: 'Kies een nieuw wachtwoord',
      lead: ({ service }) => `Iemand, waarschijnlijk u, heeft bij ${service} om een nieuw wachtwoord gevraagd.`,
      button: 'Een nieuw wachtwoord kiezen',
      linkNote: 'De link werkt één keer, 30 minuten lang. Een nieuwere link vervangt hem.',
      notYou:
        'Hebt u hier niet om gevraagd, doe dan niets: uw wachtwoord blijft zoals het is. Geef de link nooit door.',
    },
    sign_in_link: {
      subject: ({ service }) => `Aanmelden bij ${service}`,
      title: 'Aanmelden',
      lead: ({ service }) => `Iemand, waarschijnlijk u, heeft een link gevraagd om zich bij ${service} aan te melden.`,
      button: 'Aanmelden',
      linkNote: 'De link werkt één keer, 10 minuten lang, in de browser waarin erom is gevraagd.',
      notYou: 'Hebt u hier niet om gevraagd, doe dan niets: niemand wordt aangemeld. Stuur de link nooit door.',
    },
    sign_up: {
      subject: ({ service }) => `Maak uw account bij ${service}`,
      title: 'Maak uw account',
      lead: ({ service }) => `Iemand, waarschijnlijk u, heeft met dit adres een account bij ${service} aangevraagd.`,
      button: 'Account maken',
      linkNote: 'De link werkt één keer, 24 uur lang. Een nieuwere vervangt hem.',
      notYou: 'Hebt u dit niet gevraagd, doe dan niets: er wordt geen account gemaakt. Geef de link nooit door.',
    },
    account_exists: {
      subject: ({ service }) => `U hebt al een account bij ${service}`,
      title: 'U hebt al een account',
      lead: ({ service }) =>
        `Iemand, waarschijnlijk u, heeft met dit adres een account bij ${service} aangevraagd. Er is er al een. Bent u het wachtwoord vergeten, dan kunt u op de inlogpagina een nieuw kiezen.`,
      button: 'Inloggen',
      notYou: 'Hebt u dit niet gevraagd, doe dan niets: uw account blijft zoals het is.',
    },
    invitation: {
      subject: ({ service }) => `U bent uitgenodigd voor ${service}`,
      title: 'U bent uitgenodigd',
      lead: ({ service }) =>
        `U bent uitgenodigd voor een account bij ${service}. Kies een naam en een wachtwoord, dan is het van u.`,
      button: 'Uitnodiging aannemen',
      linkNote: 'De link werkt één keer en alleen voor dit adres.',
      notYou: 'Weet u niet waar dit over gaat, doe dan niets: er wordt geen account gemaakt. Geef de link nooit door.',
    },
    deletion_requested: {
      subject: ({ service }) => `Uw account bij ${service} wordt verwijderd`,
      title: 'Uw account wordt verwijderd',
      lead: ({ service }) =>
        `Uw account bij ${service} is beëindigd en wordt voorgoed verwijderd. Log vóór die tijd in om het te behouden.`,
      notYou: 'Was u dit niet, log dan nu in om het account te behouden en wijzig uw wachtwoord.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Uw account bij ${service} blijft`,
      title: 'Uw account blijft',
      lead: ({ service }) =>
        `Iemand heeft ingelogd bij uw account bij ${service}, dat verwijderd zou worden. Het blijft.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Bevestig uw adres voor ${service}`,
      title: 'Bevestig uw adres',
      lead: ({ service }) =>
        `Dit adres is opgegeven voor een account bij ${service}. Bevestig het als het account van u is.`,
      button: 'Adres bevestigen',
      linkNote: 'De link werkt één keer, 24 uur lang, en vraagt u om bij dat account in te loggen.',
      notYou: 'Is het account niet van u, doe dan niets: het adres wordt niet gebruikt.',
    },
    address_changed: {
      subject: ({ service }) => `Uw adres bij ${service} is gewijzigd`,
      title: 'Uw adres is gewijzigd',
      lead: ({ service }) =>
        `Voor uw account bij ${service} is een ander adres bevestigd. Vanaf nu gaat e-mail daarheen en niet meer hierheen.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Uw wachtwoord bij ${service} is gewijzigd`,
      title: 'Uw wachtwoord is gewijzigd',
      lead: ({ service }) =>
        `Het wachtwoord van uw account bij ${service} is gewijzigd, en andere sessies zijn beëindigd.`,
      notYou:
        'Was u dit niet, vraag dan nu op de inlogpagina een nieuw wachtwoord aan en meld het bij de beheerders van deze dienst.',
    },
    signed_in: {
      subject: ({ service }) => `Nieuwe aanmelding bij ${service}`,
      title: 'Nieuwe aanmelding',
      lead: ({ service }) => `Er is bij uw account van ${service} ingelogd vanuit een browser die nog niet bekend was.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} is verbonden met uw account bij ${service}`,
      title: 'Er is een app verbonden',
      lead: ({ client, service }) =>
        `U hebt ${client} toegestaan om bij ${service} namens u te handelen. Op uw accountpagina ziet u wat de app mag en kunt u het intrekken.`,
      notYou: 'Was u dit niet, verwijder dan nu de app op uw accountpagina en wijzig uw wachtwoord.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} vraagt om toegang bij ${service}`,
      title: 'Een app vraagt om toegang',
      lead: ({ client, service }) =>
        `${client} vraagt om bij ${service} namens u te handelen. Bekijk het verzoek op uw accountpagina en sta het daar toe of weiger het.`,
      button: 'Het verzoek bekijken',
      linkNote: 'Het verzoek wacht maar enkele minuten.',
      notYou:
        'Bent u dit niet zelf begonnen, weiger het dan of doe niets: zonder u wordt niets toegestaan. Niemand die u belt of schrijft, hoort u te vragen het toe te staan.',
    },
    factor_added: {
      subject: ({ service }) => `Er is een inlogmethode toegevoegd bij ${service}`,
      title: 'Er is een inlogmethode toegevoegd',
      lead: ({ service }) => `Bij uw account van ${service} kan nu op nog een manier worden ingelogd.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Er is een inlogmethode verwijderd bij ${service}`,
      title: 'Er is een inlogmethode verwijderd',
      lead: ({ service }) => `Een manier om in te loggen bij uw account van ${service} is verwijderd.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Er is een herstelcode gebruikt bij ${service}`,
      title: 'Er is een herstelcode gebruikt',
      lead: ({ service }) =>
        `Iemand heeft met een van uw herstelcodes ingelogd bij uw account van ${service}. Die code is nu opgebruikt.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `Test-e-mail van ${service}`,
      title: 'Het werkt',
      lead: ({ service }) => `${service} kan e-mail versturen. Een beheerder heeft om deze gevraagd.`,
      notYou: 'U hoeft niets te doen.',
    },
  },
}
