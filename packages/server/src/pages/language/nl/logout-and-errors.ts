/** Dutch: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Autorisatiedienst',
    lead: 'Hier loggen mensen in en bepalen ze welke apps wat namens hen mogen doen.',
    account: { title: 'Uw account', lead: 'Apps met toegang, sessies en hoe u inlogt.' },
    console: { title: 'Console', lead: 'Clients, mensen, toegang en sleutels, voor beheerders.' },
    discovery: {
      title: 'Discovery-document',
      lead: 'Waar clients en API’s elk eindpunt van deze uitgever vinden.',
    },
    problems: { title: 'Foutcodes', lead: 'Wat elke fout betekent en wat u eraan kunt doen.' },
    tryIt: 'Probeer het',
    steps: {
      token: 'Een token ophalen, in een terminal',
      call: 'Daarmee de Orders-API aanroepen',
      revoke: 'Het token intrekken; dezelfde aanroep wordt dan geweigerd',
      trust:
        'De browsers van deze computer zijn certificaat laten vertrouwen; hetzelfde met --remove maakt het ongedaan',
      browser: 'Inloggen met een browser, als alice met het wachtwoord alice',
      terminal: 'Inloggen vanuit een terminal, met een code',
    },
  },
  logout: {
    title: 'Uitloggen?',
    asked: (client) => `${client} vraagt om u uit te loggen.`,
    lead: (service) => `U wordt in deze browser uitgelogd bij ${service}.`,
    confirm: 'Uitloggen',
    stay: 'Ingelogd blijven',
    doneTitle: 'U bent uitgelogd',
    done: (service) => `U bent in deze browser niet meer ingelogd bij ${service}.`,
    back: (client) => `Terug naar ${client}`,
    signInAgain: 'Opnieuw inloggen',
    framesTitle: 'U bent uitgelogd',
    frames: 'De apps die u hebt gebruikt, worden op de hoogte gebracht. Dit duurt even.',
    frame: (host) => `Uitloggen bij ${host}`,
    onward: 'Doorgaan',
  },
  error: {
    trace: 'Trace-id',
    traceHint: 'Geef deze door aan de helpdesk. Hij zegt niets over u.',
    code: 'Foutcode',
    home: 'Naar de startpagina',
    kinds: {
      request: {
        title: 'Dit verzoek kan niet worden beantwoord',
        lead: 'De app waar u vandaan komt, heeft een ongeldig verzoek gedaan.',
        remedy:
          'Ga terug naar de app en probeer het opnieuw. Gebeurt het weer, meld het dan bij de beheerders van de app.',
      },
      client: {
        title: 'We kennen deze app niet',
        lead: 'De app waar u vandaan komt, is niet geregistreerd bij deze dienst.',
        remedy: 'Om u te beschermen hebben we er niets naartoe gestuurd. Meld het bij de beheerders van de app.',
      },
      missing: {
        title: 'Het verzoek van de app is onvolledig',
        lead: 'De app waar u vandaan komt, heeft iets weggelaten dat nodig is: wie de app is, of waar het antwoord heen moet.',
        remedy:
          'Ga terug naar de app en probeer het opnieuw. Gebeurt het weer, meld het dan bij de beheerders van de app.',
      },
      redirect: {
        title: 'Het retouradres van de app is niet geregistreerd',
        lead: 'We kennen de app waar u vandaan komt, maar niet het adres waar die het antwoord wil ontvangen.',
        remedy:
          'Om u te beschermen hebben we er niets naartoe gestuurd. Meld het bij de beheerders van de app: de redirect_uri moet precies zo geregistreerd zijn als hij wordt verstuurd.',
      },
      expired: {
        title: 'Dit heeft te lang geduurd',
        lead: 'Het verzoek is niet meer geldig of is al beantwoord.',
        remedy: 'Ga terug naar de app en begin opnieuw.',
      },
      elsewhere: {
        title: 'Dit is in een andere browser begonnen',
        lead: 'Alleen de browser waarin het inloggen is begonnen, kan het afronden.',
        remedy: 'Ga in deze browser terug naar de app en begin opnieuw. Controleer of cookies zijn toegestaan.',
      },
      returned: {
        title: 'Deze inlogpoging kan hier niet worden voltooid',
        lead: 'Ze is in een andere browser begonnen, duurde te lang of is al voltooid. Er is niets gewijzigd.',
        remedy: 'Begin opnieuw vanuit de app of vanaf de startpagina.',
      },
      forged: {
        title: 'Het formulier kon niet worden geaccepteerd',
        lead: 'Het is vanaf een andere pagina verstuurd of heeft te lang opengestaan.',
        remedy: 'Ga terug naar de app en begin opnieuw.',
      },
      unavailable: {
        title: 'Zo weer terug',
        lead: 'De dienst kan op dit moment niet antwoorden. Er is niets gewijzigd.',
        remedy: 'Wacht even en laad deze pagina dan opnieuw.',
      },
      not_found: {
        title: 'Hier is niets',
        lead: 'Deze pagina bestaat niet of niet meer.',
        remedy: 'Controleer het adres.',
      },
      internal: {
        title: 'Er is bij ons iets misgegaan',
        lead: 'Het verzoek kon niet worden beantwoord. Het voorval is vastgelegd.',
        remedy: 'Probeer het opnieuw. Gebeurt het weer, geef dan de trace-id door aan de helpdesk.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Dit verzoek kan niet worden beantwoord',
        lead: (client) => `${client} heeft om iets gevraagd en het niet gekregen.`,
      },
      denied: {
        title: 'Er is geen toegang gegeven',
        lead: (client) => `${client} heeft geen toegang tot uw account gekregen.`,
      },
      signedOut: {
        title: 'U bent uitgelogd',
        lead: (client) => `${client} wil dat u terugkomt.`,
      },
    },
    unchecked: (service) =>
      `Deze app heeft zichzelf geregistreerd, en u hebt de app hier niets toegestaan. ${service} heeft niet gecontroleerd waar de app heen leidt: ga alleen verder als u dit adres kent.`,
    address: 'Het adres van de app',
    go: (host) => `Naar ${host}`,
  },
  problem: {
    happened: 'Wat er is gebeurd',
    why: 'Waarom',
    remedy: 'Wat u kunt doen',
    source: 'Vastgelegd in',
    status: 'HTTP-status',
    all: 'Alle foutcodes',
    allLead: 'Elke fout waarmee deze dienst en de API’s die hij beschermt kunnen antwoorden.',
    unknownTitle: 'Onbekende foutcode',
    unknown: 'Deze dienst heeft geen fout met die naam.',
    families: {
      authorize: 'In de browser: het autorisatieantwoord',
      token: 'Achter de browser: token- en andere eindpunten',
      api: 'Bij een beschermde API: soorten problemen',
    },
  },
}
