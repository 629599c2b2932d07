/** Polish: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Utwórz konto',
    title: 'Utwórz konto',
    lead: 'Wyślemy link na Twój adres e-mail. Konto powstanie, gdy go otworzysz.',
    email: 'Adres e-mail',
    submit: 'Wyślij link',
    domain: 'Konta są tu tylko dla adresów wybranych organizacji.',
    sent: 'Na ten adres wysłaliśmy wiadomość. Link w niej działa raz, przez 24 godziny.',
    sentHint: 'Nic nie przyszło? Sprawdź spam lub pisownię adresu.',
  },
  signInLink: {
    link: 'Wyślij mi link do logowania',
    title: 'Zaloguj się przez e-mail',
    lead: 'Powiedz nam, kim jesteś, a wyślemy Ci link do logowania.',
    sent: 'Jeśli istnieje konto o tej nazwie z adresem e-mail, wysłaliśmy tam link. Działa raz, przez 10 minut, w tej przeglądarce.',
    finish: 'Zaloguj się',
    as: (username) => `jako ${username}`,
    finishHint: 'Link działa raz. Jeśli nie prosisz o niego, zamknij tę stronę.',
    elsewhereTitle: 'Otwórz link w drugiej przeglądarce',
    elsewhere:
      'Ten link loguje tylko w przeglądarce, w której o niego poproszono. Otwórz go tam albo poproś tutaj o nowy.',
    again: 'Poproś tutaj o link',
  },
  newAccount: {
    title: 'Twoje nowe konto',
    lead: (email) => `dla ${email}`,
    name: 'Imię i nazwisko',
    submit: 'Utwórz konto',
    unreadable: 'Wpisz czytelną nazwę, najwyżej 200 znaków.',
    gone: 'Został użyty, jest zbyt stary albo wysłano nowszy. Jeśli masz już konto, zaloguj się.',
  },
  terms: {
    title: 'Warunki korzystania',
    lead: 'Aby kontynuować, przeczytaj warunki korzystania i zaakceptuj je.',
    read: (version) => `Przeczytaj warunki korzystania, wersja ${version}`,
    agree: 'Akceptuję warunki korzystania',
    submit: 'Zaakceptuj i kontynuuj',
    required: 'Aby kontynuować, musisz zaakceptować warunki korzystania.',
  },
  profile: {
    lead: 'Czego aplikacje mogą się o Tobie dowiedzieć, gdy na to pozwolisz.',
    given: 'Imię',
    family: 'Nazwisko',
    locale: 'Język',
    zone: 'Strefa czasowa',
    picture: 'Zdjęcie',
    pictureHint: 'Adres https.',
    submit: 'Zapisz',
    invalid: 'Tego nie można tak zapisać.',
  },
  ownData: {
    lead: 'Co jest o Tobie przechowywane i jak to zakończyć.',
    downloadTitle: 'Pobierz swoje dane',
    downloadLead: 'Wszystko, co jest o Tobie przechowywane, w jednym pliku JSON. Nie zawiera haseł ani kluczy.',
    download: 'Pobierz',
    deleteTitle: 'Usuń swoje konto',
    deleteLead: (date) =>
      `Od razu wylogujemy Cię wszędzie, a każda aplikacja straci dostęp. Do ${date} możesz wrócić, logując się. Potem konto i wszystko, co jest o Tobie przechowywane, zostanie usunięte na zawsze.`,
    submit: 'Usuń moje konto',
    stale: 'Od logowania minęło zbyt wiele czasu. Wyloguj się, zaloguj ponownie i wróć tutaj.',
    lastOwner: 'To konto ostatniego właściciela. Najpierw wyznacz innego właściciela.',
    deletedTitle: 'Twoje konto zostanie usunięte',
    deleted: (date) => `Zostanie usunięte na zawsze ${date}. Aby je zachować, zaloguj się wcześniej.`,
  },
}
