/** Polish: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Przejdź do treści',
    languages: 'Język',
    signIn: (service) => `Zaloguj się do ${service}`,
    errorSummary: 'Nie udało się',
    errorTitle: (title) => `Błąd: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Pokaż',
    title: 'Zaloguj się',
    to: (client) => `aby przejść do: ${client}`,
    toService: (service) => `aby przejść do: ${service}`,
    again: 'Zaloguj się ponownie, aby potwierdzić swoją tożsamość.',
    username: 'Nazwa użytkownika',
    password: 'Hasło',
    submit: 'Zaloguj się',
    forgot: 'Nie pamiętasz hasła?',
    rejected: 'Nazwa użytkownika i hasło nie pasują do siebie.',
    throttled: (wait) => `Zbyt wiele prób. Czas do następnej próby: ${wait}.`,
    expired: 'Ta strona była otwarta zbyt długo. Zaloguj się jeszcze raz.',
    providers: {
      with: (name: string) => `Kontynuuj z ${name}`,
      problems: {
        cancelled: (name: string) => `Nie zalogowano się przez ${name}.`,
        unavailable: (name: string) => `${name} jest teraz nieosiągalne. Spróbuj później albo zaloguj się inaczej.`,
        refused: (name: string) =>
          `Nie można było przyjąć odpowiedzi ${name}. Spróbuj ponownie albo zaloguj się inaczej.`,
        stale: (name: string) =>
          `${name} nie poprosiło o ponowne zalogowanie. Najpierw wyloguj się tam albo zaloguj się inaczej.`,
        unlinked: (name: string) =>
          `Nikt tutaj nie jest powiązany z tym kontem w ${name}. Jeśli masz tu konto, zaloguj się inaczej i powiąż ${name} wśród swoich metod logowania.`,
        another: (name: string) =>
          `Twoje konto jest tu powiązane z innym kontem w ${name}. Zaloguj się inaczej albo zapytaj osobę prowadzącą tę usługę.`,
        disabled: (name: string) => `Nie możesz się tu logować przez ${name}. Zapytaj osobę prowadzącą tę usługę.`,
        taken: (name: string) => `To konto w ${name} jest tu powiązane z kimś innym.`,
        gone: (_name: string) => 'Ten sposób logowania nie jest już dostępny.',
      },
    },
  },
  passkey: {
    or: 'lub',
    use: 'Zaloguj się kluczem dostępu',
    failed: 'Nie użyto klucza dostępu. Spróbuj ponownie lub wybierz inny sposób.',
    unsupported: 'Ta przeglądarka nie obsługuje kluczy dostępu.',
    noScript: 'Klucze dostępu wymagają JavaScriptu, który jest wyłączony w tej przeglądarce.',
  },
  secondFactor: {
    title: 'Jeszcze jeden krok',
    lead: (username) => `Potwierdź swoją tożsamość, ${username}.`,
    otp: 'Kod z aplikacji uwierzytelniającej',
    otpHint: 'Sześć cyfr. Zostaną wysłane, gdy tylko wpiszesz wszystkie.',
    remember: (time) => `Nie pytaj w tej przeglądarce przez: ${time}`,
    submit: 'Zaloguj się',
    passkeyOnly: 'Aplikacja wymaga logowania, które umożliwia tylko klucz dostępu.',
    recover: 'Użyj kodu odzyskiwania',
    recoveryCode: 'Kod odzyskiwania',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Każdy kod działa raz. Pozostał Ci # kod.',
        few: 'Każdy kod działa raz. Pozostały Ci # kody.',
        many: 'Każdy kod działa raz. Pozostało Ci # kodów.',
        other: 'Każdy kod działa raz. Pozostało Ci # kodu.',
      }),
    startOver: 'Zaloguj się w inny sposób',
    rejected: 'Kod jest nieprawidłowy lub został już użyty.',
    throttled: (wait) => `Zbyt wiele prób. Czas do następnej próby: ${wait}.`,
  },
  newPassword: {
    title: 'Wybierz własne hasło',
    lead: (username) => `dla konta ${username}`,
    why: 'Do logowania użyto hasła utworzonego dla Ciebie. Od teraz działa tylko nowe.',
    submit: 'Ustaw hasło i przejdź dalej',
  },
  choose: {
    title: 'Wybierz konto',
    to: (client) => `aby przejść do: ${client}`,
    signedOut: 'Wylogowano',
    another: 'Użyj innego konta',
  },
  forgot: {
    title: 'Nie pamiętasz hasła?',
    lead: 'Powiedz nam, kim jesteś, a wyślemy link do wybrania nowego hasła.',
    named: 'Nazwa użytkownika lub adres e-mail',
    submit: 'Wyślij link',
    throttled: (wait) => `Zbyt wiele próśb. Czas do następnej próby: ${wait}.`,
    sentTitle: 'Sprawdź pocztę',
    sent: 'Jeśli istnieje konto o tej nazwie z adresem e-mail, wysłaliśmy na niego link. Działa przez 30 minut.',
    sentHint: 'Nic nie przyszło? Sprawdź spam lub zapytaj osoby prowadzące tę usługę.',
    back: 'Wróć do logowania',
  },
  reset: {
    title: 'Wybierz nowe hasło',
    lead: (username) => `dla konta ${username}`,
    endsAll: 'Nastąpi wylogowanie ze wszystkich miejsc, a potem zalogujesz się nowym hasłem.',
    submit: 'Ustaw hasło',
    doneTitle: 'Hasło zostało zmienione',
    done: 'Zaloguj się nowym hasłem. Jeśli używasz drugiego składnika, zapytamy o niego jak zwykle.',
    signIn: 'Zaloguj się',
    goneTitle: 'Ten link jest już nieważny',
    gone: 'Został użyty, jest zbyt stary albo wysłano nowszy. Trzeba go też otworzyć w przeglądarce, w której kończysz.',
    again: 'Poproś o nowy link',
  },
}
