/** Polish. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Jeśli to nie Ty, zmień teraz hasło i zakończ każdą sesję, której nie znasz. Jedno i drugie zrobisz na stronie swojego konta.'

export const pl: MailMessages = {
  account: 'Konto',
  app: 'Aplikacja',
  message: 'Wiadomość',
  when: 'Kiedy',
  device: 'Urządzenie',
  address: 'Adres',
  unknownDevice: 'Nieznane',
  unknownAddress: 'Nieznany',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'Albo otwórz ten adres:',
  yourAccount: 'Twoje konto',
  footer: (service) => `Otrzymujesz tę wiadomość, ponieważ masz konto w ${service}. Odpowiedzi na nią nie są czytane.`,
  strangerFooter: (service) =>
    `Otrzymujesz tę wiadomość, ponieważ ten adres podano w ${service}. Odpowiedzi na nią nie są czytane.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Wybierz nowe hasło do ${service}`,
      title: 'Wybierz nowe hasło',
      lead: ({ service }) => `Ktoś, prawdopodobnie Ty, prosi o nowe hasło w ${service}.`,
      button: 'Wybierz nowe hasło',
      linkNote: 'Link działa raz, przez 30 minut. Nowszy link go zastępuje.',
      notYou: 'Jeśli to nie Twoja prośba, nic nie rób: hasło pozostaje bez zmian. Nigdy nie przekazuj linku dalej.',
    },
    sign_in_link: {
      subject: ({ service }) => `Zaloguj się do ${service}`,
      title: 'Zaloguj się',
      lead: ({ service }) => `Ktoś, prawdopodobnie Ty, poprosił o link do logowania w ${service}.`,
      button: 'Zaloguj się',
      linkNote: 'Link działa raz, przez 10 minut, w przeglądarce, w której o niego poproszono.',
      notYou: 'Jeśli to nie Ty, nie rób nic: nikt nie zostanie zalogowany. Nigdy nie przekazuj linku dalej.',
    },
    sign_up: {
      subject: ({ service }) => `Utwórz konto w ${service}`,
      title: 'Utwórz konto',
      lead: ({ service }) => `Ktoś, prawdopodobnie Ty, poprosił o konto w ${service} z tym adresem.`,
      button: 'Utwórz konto',
      linkNote: 'Link działa raz, przez 24 godziny. Nowszy go zastępuje.',
      notYou: 'Jeśli to nie Twoja prośba, nic nie rób: żadne konto nie powstanie. Nigdy nie przekazuj linku.',
    },
    account_exists: {
      subject: ({ service }) => `Masz już konto w ${service}`,
      title: 'Masz już konto',
      lead: ({ service }) =>
        `Ktoś, prawdopodobnie Ty, poprosił o konto w ${service} z tym adresem. Takie konto już istnieje. Jeśli nie pamiętasz hasła, możesz wybrać nowe na stronie logowania.`,
      button: 'Zaloguj się',
      notYou: 'Jeśli to nie Twoja prośba, nic nie rób: Twoje konto pozostaje bez zmian.',
    },
    invitation: {
      subject: ({ service }) => `Masz zaproszenie do ${service}`,
      title: 'Masz zaproszenie',
      lead: ({ service }) =>
        `Masz zaproszenie do założenia konta w ${service}. Podaj imię i nazwisko oraz hasło, a konto będzie Twoje.`,
      button: 'Przyjmij zaproszenie',
      linkNote: 'Link działa raz i tylko dla tego adresu.',
      notYou: 'Jeśli nie wiesz, o co chodzi, nic nie rób: żadne konto nie powstanie. Nigdy nie przekazuj linku.',
    },
    deletion_requested: {
      subject: ({ service }) => `Twoje konto w ${service} zostanie usunięte`,
      title: 'Twoje konto zostanie usunięte',
      lead: ({ service }) =>
        `Twoje konto w ${service} zostało zamknięte i zostanie usunięte na zawsze. Aby je zachować, zaloguj się wcześniej.`,
      notYou: 'Jeśli to nie Ty, zaloguj się teraz, aby zachować konto, i zmień hasło.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Twoje konto w ${service} pozostaje`,
      title: 'Twoje konto pozostaje',
      lead: ({ service }) =>
        `Ktoś zalogował się na Twoje konto w ${service}, które miało zostać usunięte. Konto pozostaje.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Potwierdź swój adres w ${service}`,
      title: 'Potwierdź swój adres',
      lead: ({ service }) => `Ten adres podano dla konta w ${service}. Potwierdź go, jeśli to Twoje konto.`,
      button: 'Potwierdź adres',
      linkNote: 'Link działa raz, przez 24 godziny, i wymaga zalogowania się na to konto.',
      notYou: 'Jeśli to nie Twoje konto, nic nie rób: adres nie zostanie użyty.',
    },
    address_changed: {
      subject: ({ service }) => `Twój adres w ${service} został zmieniony`,
      title: 'Twój adres został zmieniony',
      lead: ({ service }) =>
        `Dla Twojego konta w ${service} potwierdzono inny adres. Od teraz wiadomości trafiają tam, a nie tutaj.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Twoje hasło w ${service} zostało zmienione`,
      title: 'Twoje hasło zostało zmienione',
      lead: ({ service }) => `Hasło Twojego konta w ${service} zostało zmienione, a inne sesje zakończono.`,
      notYou: 'Jeśli to nie Ty, poproś teraz na stronie logowania o nowe hasło i powiadom osoby prowadzące tę usługę.',
    },
    signed_in: {
      subject: ({ service }) => `Nowe logowanie do ${service}`,
      title: 'Nowe logowanie',
      lead: ({ service }) => `Na Twoje konto w ${service} zalogowano się z nieznanej dotąd przeglądarki.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} ma teraz połączenie z Twoim kontem w ${service}`,
      title: 'Połączono aplikację',
      lead: ({ client, service }) =>
        `Aplikacja ${client} może teraz za Twoją zgodą działać w Twoim imieniu w ${service}. Na stronie konta możesz zobaczyć, co jej wolno, i to cofnąć.`,
      notYou: 'Jeśli to nie Ty, usuń teraz aplikację na stronie konta i zmień hasło.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} prosi o dostęp w ${service}`,
      title: 'Aplikacja prosi o dostęp',
      lead: ({ client, service }) =>
        `${client} prosi o możliwość działania w Twoim imieniu w ${service}. Zobacz prośbę na stronie konta i tam na nią zezwól lub ją odrzuć.`,
      button: 'Zobacz prośbę',
      linkNote: 'Prośba czeka tylko kilka minut.',
      notYou:
        'Jeśli to nie Twoja prośba, odrzuć ją albo nic nie rób: bez Ciebie nic nie jest dozwolone. Nikt, kto dzwoni lub pisze, nie powinien prosić Cię o zgodę.',
    },
    factor_added: {
      subject: ({ service }) => `Dodano sposób logowania w ${service}`,
      title: 'Dodano sposób logowania',
      lead: ({ service }) => `Na Twoje konto w ${service} można się teraz zalogować w inny sposób.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Usunięto sposób logowania w ${service}`,
      title: 'Usunięto sposób logowania',
      lead: ({ service }) => `Usunięto jeden ze sposobów logowania na Twoje konto w ${service}.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Użyto kodu odzyskiwania w ${service}`,
      title: 'Użyto kodu odzyskiwania',
      lead: ({ service }) =>
        `Ktoś zalogował się na Twoje konto w ${service} jednym z Twoich kodów odzyskiwania. Ten kod jest już wykorzystany.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `Wiadomość testowa z ${service}`,
      title: 'Działa',
      lead: ({ service }) => `${service} może wysyłać wiadomości. O tę poprosiła osoba, która prowadzi usługę.`,
      notYou: 'Nie trzeba nic robić.',
    },
  },
}
