/** Dutch: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Account maken',
    title: 'Account maken',
    lead: 'We sturen een link naar uw e-mailadres. Het account wordt gemaakt wanneer u die volgt.',
    email: 'E-mailadres',
    submit: 'Link versturen',
    domain: 'Accounts zijn hier alleen voor adressen van bepaalde organisaties.',
    sent: 'Er is een e-mail onderweg naar dat adres. De link erin werkt één keer, 24 uur lang.',
    sentHint: 'Niets ontvangen? Kijk bij de spam of controleer hoe u het adres hebt geschreven.',
    refusedTitle: 'Dit account kan niet worden gemaakt',
    refused:
      'De beheerder van deze dienst heeft dat voor dit verzoek zo besloten. Probeer het later opnieuw of vraag het na.',
    stepTitle: 'Nog één stap',
    step: 'De beheerder van deze dienst vraagt om nog één stap voordat het account kan worden gemaakt. Kom daarna hier terug.',
    stepOnward: 'Doorgaan',
  },
  signInLink: {
    link: 'Stuur mij een aanmeldlink',
    title: 'Aanmelden via e-mail',
    lead: 'Vertel ons wie u bent, dan sturen we u een link waarmee u zich aanmeldt.',
    sent: 'Als er een account met die naam en een e-mailadres is, is er een link naar onderweg. Die werkt één keer, 10 minuten lang, in deze browser.',
    finish: 'Aanmelden',
    as: (username) => `als ${username}`,
    finishHint: 'De link werkt één keer. Hebt u er niet om gevraagd, sluit dan deze pagina.',
    elsewhereTitle: 'Open de link in de andere browser',
    elsewhere:
      'Deze link meldt alleen de browser aan waarin erom is gevraagd. Open hem daar, of vraag hier een nieuwe aan.',
    again: 'Hier een link aanvragen',
  },
  newAccount: {
    title: 'Uw nieuwe account',
    lead: (email) => `voor ${email}`,
    name: 'Uw naam',
    submit: 'Account maken',
    unreadable: 'Schrijf een leesbare naam van hoogstens 200 tekens.',
    gone: 'De link is gebruikt, te oud, of er is een nieuwere verstuurd. Hebt u al een account, log dan in.',
  },
  terms: {
    title: 'Gebruiksvoorwaarden',
    lead: 'Lees de gebruiksvoorwaarden en ga ermee akkoord om verder te gaan.',
    read: (version) => `Lees de gebruiksvoorwaarden, versie ${version}`,
    agree: 'Ik ga akkoord met de gebruiksvoorwaarden',
    submit: 'Akkoord en verder',
    required: 'Om verder te gaan moet u akkoord gaan met de gebruiksvoorwaarden.',
  },
  profile: {
    lead: 'Wat apps over u te weten kunnen komen als u dat toestaat.',
    given: 'Voornaam',
    family: 'Achternaam',
    locale: 'Taal',
    zone: 'Tijdzone',
    suchAs: (value) => `Bijvoorbeeld ${value}`,
    picture: 'Afbeelding',
    pictureHint: 'Een https-adres.',
    submit: 'Opslaan',
    invalid: 'Zo kan dit niet worden opgeslagen.',
  },
  ownData: {
    lead: 'Wat er over u wordt bewaard, en hoe u daar een eind aan maakt.',
    downloadTitle: 'Uw gegevens downloaden',
    downloadLead:
      'Alles wat er over u wordt bewaard, in één JSON-bestand. Er staan geen wachtwoorden en geen sleutels in.',
    download: 'Downloaden',
    deleteTitle: 'Uw account verwijderen',
    deleteLead: (date) =>
      `U wordt meteen overal uitgelogd en elke app verliest de toegang. Tot ${date} kunt u terugkomen door in te loggen. Daarna worden uw account en alles wat er over u wordt bewaard voorgoed verwijderd.`,
    submit: 'Mijn account verwijderen',
    stale: 'U bent hiervoor te lang geleden ingelogd. Log uit, log weer in en kom hier terug.',
    lastOwner: 'U bent hier de laatste eigenaar. Maak eerst iemand anders eigenaar.',
    deletedTitle: 'Uw account wordt verwijderd',
    deleted: (date) => `Op ${date} wordt het voorgoed verwijderd. Log vóór die tijd in om het te behouden.`,
  },
}
