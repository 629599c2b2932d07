/** Polish: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Usługa autoryzacji',
    lead: 'Tutaj ludzie się logują i decydują, co która aplikacja może robić w ich imieniu.',
    account: { title: 'Twoje konto', lead: 'Aplikacje z dostępem, sesje i sposoby logowania.' },
    console: { title: 'Konsola', lead: 'Klienci, osoby, dostępy i klucze, dla administratorów.' },
    discovery: {
      title: 'Dokument discovery',
      lead: 'Gdzie klienci i interfejsy API znajdują wszystkie punkty końcowe tego wystawcy.',
    },
    problems: { title: 'Kody błędów', lead: 'Co oznacza każdy błąd i co z nim zrobić.' },
    tryIt: 'Wypróbuj',
    steps: {
      token: 'Pobierz token w powłoce',
      call: 'Wywołaj nim interfejs API Orders',
      revoke: 'Unieważnij go; to samo wywołanie zostanie odrzucone',
      trust: 'Spraw, by przeglądarki na tym komputerze ufały jego certyfikatowi; to samo z --remove to cofa',
      browser: 'Zaloguj się w przeglądarce jako alice z hasłem alice',
      terminal: 'Zaloguj się z terminala za pomocą kodu',
    },
  },
  logout: {
    title: 'Wylogować?',
    asked: (client) => `${client} prosi o wylogowanie.`,
    lead: (service) => `Nastąpi wylogowanie z ${service} w tej przeglądarce.`,
    confirm: 'Wyloguj się',
    stay: 'Nie wylogowuj',
    doneTitle: 'Wylogowano',
    done: (service) => `W tej przeglądarce nie masz już aktywnej sesji w ${service}.`,
    back: (client) => `Wróć do: ${client}`,
    signInAgain: 'Zaloguj się ponownie',
    framesTitle: 'Wylogowano',
    frames: 'Powiadamiamy używane aplikacje. To potrwa chwilę.',
    frame: (host) => `Wylogowanie z ${host}`,
    onward: 'Dalej',
  },
  error: {
    trace: 'Identyfikator śledzenia',
    traceHint: 'Podaj go pomocy technicznej. Nic o Tobie nie mówi.',
    code: 'Kod błędu',
    home: 'Przejdź do strony głównej',
    kinds: {
      request: {
        title: 'Nie można odpowiedzieć na to żądanie',
        lead: 'Aplikacja, z której przychodzisz, przesłała nieprawidłowe żądanie.',
        remedy: 'Wróć do aplikacji i spróbuj ponownie. Jeśli to się powtórzy, powiadom osoby, które ją prowadzą.',
      },
      client: {
        title: 'Nie znamy tej aplikacji',
        lead: 'Aplikacja, z której przychodzisz, nie jest zarejestrowana w tej usłudze.',
        remedy: 'Dla Twojej ochrony niczego tam nie wysłaliśmy. Powiadom osoby prowadzące aplikację.',
      },
      missing: {
        title: 'Żądanie aplikacji jest niepełne',
        lead: 'Aplikacja, z której przychodzisz, pominęła coś potrzebnego: kim jest albo dokąd wysłać odpowiedź.',
        remedy: 'Wróć do aplikacji i spróbuj ponownie. Jeśli to się powtórzy, powiadom osoby, które ją prowadzą.',
      },
      redirect: {
        title: 'Adres zwrotny aplikacji nie jest zarejestrowany',
        lead: 'Znamy aplikację, z której przychodzisz, ale nie adres, na który chce otrzymać odpowiedź.',
        remedy:
          'Dla Twojej ochrony niczego tam nie wysłaliśmy. Powiadom osoby prowadzące aplikację: jej redirect_uri musi być zarejestrowany dokładnie tak, jak jest wysyłany.',
      },
      expired: {
        title: 'To trwało zbyt długo',
        lead: 'Żądanie jest już nieważne albo udzielono na nie odpowiedzi.',
        remedy: 'Wróć do aplikacji i zacznij od nowa.',
      },
      elsewhere: {
        title: 'Rozpoczęto to w innej przeglądarce',
        lead: 'Logowanie może dokończyć tylko przeglądarka, w której się zaczęło.',
        remedy: 'Wróć do aplikacji w tej przeglądarce i zacznij od nowa. Sprawdź, czy pliki cookie są dozwolone.',
      },
      returned: {
        title: 'Tego logowania nie można tutaj dokończyć',
        lead: 'Rozpoczęto je w innej przeglądarce, trwało zbyt długo albo jest już zakończone. Niczego nie zmieniono.',
        remedy: 'Zacznij od nowa w aplikacji albo na stronie głównej.',
      },
      forged: {
        title: 'Formularz nie mógł zostać przyjęty',
        lead: 'Wysłano go z innej strony albo był otwarty zbyt długo.',
        remedy: 'Wróć do aplikacji i zacznij od nowa.',
      },
      unavailable: {
        title: 'Zaraz wracamy',
        lead: 'Usługa nie może teraz odpowiedzieć. Niczego nie zmieniono.',
        remedy: 'Poczekaj chwilę i odśwież tę stronę.',
      },
      not_found: {
        title: 'Tu nic nie ma',
        lead: 'Ta strona nie istnieje lub już nie istnieje.',
        remedy: 'Sprawdź adres.',
      },
      internal: {
        title: 'Coś poszło nie tak po naszej stronie',
        lead: 'Nie udało się odpowiedzieć na żądanie. Zdarzenie zostało zapisane.',
        remedy: 'Spróbuj ponownie. Jeśli to się powtórzy, podaj identyfikator śledzenia pomocy technicznej.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Nie można odpowiedzieć na to żądanie',
        lead: (client) => `${client} prosi o coś, czego nie przyznano.`,
      },
      denied: {
        title: 'Nie przyznano dostępu',
        lead: (client) => `${client} nie ma dostępu do Twojego konta.`,
      },
      signedOut: {
        title: 'Wylogowano',
        lead: (client) => `${client} chce, aby nastąpił powrót.`,
      },
    },
    unchecked: (service) =>
      `Ta aplikacja zarejestrowała się sama i na nic jej tu nie zezwolono. ${service} nie sprawdza, dokąd ona prowadzi: przejdź dalej tylko wtedy, gdy znasz ten adres.`,
    address: 'Jej adres',
    go: (host) => `Przejdź do ${host}`,
  },
  problem: {
    happened: 'Co się stało',
    why: 'Dlaczego',
    remedy: 'Co zrobić',
    source: 'Określone w',
    status: 'Status HTTP',
    all: 'Wszystkie kody błędów',
    allLead: 'Każdy błąd, którym może odpowiedzieć ta usługa i chronione przez nią interfejsy API.',
    unknownTitle: 'Nieznany kod błędu',
    unknown: 'Ta usługa nie ma błędu o tej nazwie.',
    families: {
      authorize: 'W przeglądarce: odpowiedź autoryzacji',
      token: 'Poza przeglądarką: tokeny i inne punkty końcowe',
      api: 'W chronionym interfejsie API: rodzaje problemów',
    },
  },
}
